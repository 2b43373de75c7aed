kind sites-3
media text/html
<!DOCTYPE html>
<html lang="fr-FR">
<head>
<meta charset="UTF-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="robots" content="max-image-preview:large" />
<title>Tarifs &#8211; L’Atelier de Clémence, coiffure à Saint-Aubrac</title>
<link rel="alternate" type="application/rss+xml" title="L’Atelier de Clémence &raquo; Flux" href="https://atelier-clemence.example/feed/" />
<link rel="stylesheet" id="wp-block-library-css" href="/wp-includes/css/dist/block-library/style.min.css?ver={wpver}" media="all" />
<meta name="generator" content="WordPress {wpver}" /><meta name="generator" content="Site Kit by Google {skver}" />
</head>
<body class="wp-singular page-template-default page page-id-37 wp-embed-responsive wp-theme-twentytwentyfour">
<div class="wp-site-blocks">
{promo}
<header class="wp-block-template-part"><div class="wp-block-group alignwide has-base-background-color has-background has-global-padding is-layout-constrained wp-container-core-group-is-layout-{cont} wp-block-group-is-layout-constrained"><p class="wp-block-site-title"><a href="https://atelier-clemence.example" target="_self" rel="home">L’Atelier de Clémence</a></p>
<nav class="is-responsive items-justified-right wp-block-navigation is-horizontal" aria-label="Navigation"><ul class="wp-block-navigation__container"><li class="wp-block-navigation-item wp-block-navigation-link"><a class="wp-block-navigation-item__content" href="/le-salon/"><span class="wp-block-navigation-item__label">Le salon</span></a></li><li class="wp-block-navigation-item current-menu-item"><a class="wp-block-navigation-item__content" href="/tarifs/" aria-current="page"><span class="wp-block-navigation-item__label">Tarifs</span></a></li><li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="/equipe/"><span class="wp-block-navigation-item__label">L’équipe</span></a></li><li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="/contact/"><span class="wp-block-navigation-item__label">Contact</span></a></li></ul></nav>
<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="https://rdv.example/atelier-clemence?ref={ref}">{rdv}</a></div></div></div></header>
<main class="wp-block-group is-layout-flow wp-block-group-is-layout-flow" id="wp--skip-link--target">
<h1 class="wp-block-post-title">Tarifs</h1>
<div class="entry-content wp-block-post-content has-global-padding is-layout-constrained">
<div class="ouverture-widget"><span class="dot"></span> {open}</div>
<p>Nos tarifs s’entendent shampooing et soin compris. Pour les cheveux longs ou épais, un supplément de {suppl} peut être demandé.</p>
<h2 class="wp-block-heading">Femmes</h2>
<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><tbody><tr><td>Coupe et brushing</td><td>{p1}</td></tr><tr><td>Brushing</td><td>{p2}</td></tr><tr><td>Couleur racines, coupe, brushing</td><td>{p3}</td></tr>{balay}<tr><td>Chignon</td><td>à partir de 55&nbsp;€</td></tr>{newrow}</tbody></table></figure>
<h2 class="wp-block-heading">Hommes</h2>
<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><tbody><tr><td>Coupe</td><td>26&nbsp;€</td></tr><tr><td>Coupe et barbe</td><td>{p6}</td></tr></tbody></table></figure>
<h2 class="wp-block-heading">Enfants</h2>
<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><tbody><tr><td>Jusqu’à {kid} ans</td><td>16&nbsp;€</td></tr><tr><td>Étudiants (le mardi et le jeudi)</td><td>22&nbsp;€</td></tr></tbody></table></figure>
<h2 class="wp-block-heading">Rendez-vous et annulation</h2>
<p>{cancel} Les paiements par carte sont acceptés à partir de 10&nbsp;€.</p>
<h2 class="wp-block-heading">Horaires</h2>
<p>Mardi, mercredi, vendredi : 9&nbsp;h – 19&nbsp;h<br>Jeudi : {jeudi}<br>Samedi : 8&nbsp;h 30 – 17&nbsp;h<br>Fermé le dimanche et le lundi</p>
{holiday}
<div class="wp-block-group avis"><h3 class="wp-block-heading">Elles en parlent</h3><div class="ti-widget ti-goog"><div class="ti-rating-text"><strong>EXCELLENT</strong> {rating}</div><div class="ti-review-item"><img src="https://lh3.example/a/{av}=w40" alt=""><p>{review}</p></div></div></div>
<div id="sb_instagram" class="sbi sbi_mob_col_1" data-feedid="{feed}"><h4>@atelier.clemence</h4><p>{insta}</p></div>
</div></main>
<footer class="wp-block-template-part"><div class="wp-block-group has-global-padding is-layout-constrained"><div class="wp-block-columns"><div class="wp-block-column"><h3>L’Atelier de Clémence</h3><p>12, rue des Tanneurs, 00120 Saint-Aubrac<br>05 00 11 22 33</p></div><div class="wp-block-column"><h3>Actualités du salon</h3><ul class="wp-block-latest-posts__list wp-block-latest-posts"><li>{post1}</li><li>{post2}</li></ul></div><div class="wp-block-column"><h3>Newsletter</h3><form class="mc4wp-form"><input type="hidden" name="_mc4wp_form_id" value="{feed}"><input type="email" placeholder="Votre adresse"><input type="submit" value="S’inscrire"></form></div></div><p class="has-small-font-size">{copy} · <a href="/mentions-legales/">Mentions légales</a> · Fièrement propulsé par WordPress</p></div></footer>
</div>
{cookie}
<script id="wp-emoji-settings" data-nonce="{ref}"></script>
</body></html>
-- looks --
first wpver="6.7.1" skver="1.143.0" cont="a1b2c3d4" promo="" ref="9f21" rdv="Prendre rendez-vous" open="Fermé actuellement · ouvre à 9 h" suppl="8 €" p1="46&nbsp;€" p2="28&nbsp;€" p3="79&nbsp;€" balay="<tr><td>Balayage</td><td>à partir de 85&nbsp;€</td></tr>" newrow="" p6="38&nbsp;€" kid="10" cancel="Merci de prévenir au moins 24&nbsp;heures à l’avance en cas d’empêchement. Aucun acompte n’est demandé." jeudi="9&nbsp;h – 20&nbsp;h" holiday="" rating="4,8 sur la base de 213 avis" av="ACg8oc1" review="« Très bon accueil, coupe parfaite ! » – Nadège P., il y a 3 jours" feed="sbi_11" insta="❤ 84 · Carré plongeant pour Julie" post1="<a href='/prendre-soin-hiver/'>Prendre soin de ses cheveux en hiver</a>" post2="<a href='/nos-produits-bio/'>Nos produits bio</a>" copy="© 2025 L’Atelier de Clémence" cookie="<div id='tarteaucitronRoot'>En poursuivant votre navigation, vous acceptez le dépôt de cookies. <button>Tout accepter</button> <button>Personnaliser</button></div>"
noise open="Ouvert · ferme à 19 h" review="« Clémence est à l’écoute, je recommande. » – Farida, il y a 1 semaine" av="ACg8oc7" insta="❤ 102 · Blond polaire, on adore"
noise promo="<div class='wp-block-group promo-bar'><p>🎄 Offrez un moment de beauté : <a href='/bons-cadeaux/'>nos bons cadeaux</a></p></div>" open="Ouvert · ferme à 20 h" rating="4,8 sur la base de 215 avis"
wanted holiday="<p class='has-background'><strong>Fermeture annuelle :</strong> le salon sera fermé du 24 décembre au 3 janvier inclus.</p>" open="Fermé actuellement · ouvre à 9 h" insta="❤ 67 · Chignon de mariée"
equal wpver="6.7.2" skver="1.145.0" ref="0c4d" cont="77e0ab12" feed="sbi_12"
wanted holiday="" p1="48&nbsp;€" copy="© 2026 L’Atelier de Clémence" promo="" open="Ouvert · ferme à 19 h"
noise open="Ouvert · ferme bientôt (17 h)" review="« Un peu d’attente mais le résultat est là. » – Sonia L., il y a 2 jours" av="ACg8ocK" insta="❤ 91 · Avant / après" post1="<a href='/tendances-2026/'>Les tendances 2026</a>" post2="<a href='/prendre-soin-hiver/'>Prendre soin de ses cheveux en hiver</a>"
wanted newrow="<tr><td>Lissage au tanin</td><td>160&nbsp;€</td></tr>" rating="4,8 sur la base de 221 avis"
wanted cancel="Merci de prévenir au moins 48&nbsp;heures à l’avance en cas d’empêchement. Aucun acompte n’est demandé." open="Ouvert · ferme à 19 h"
noise rdv="Réserver en ligne" open="Ouvert · ferme à 20 h" promo="<div class='wp-block-group promo-bar'><p>💐 Fête des mères : pensez aux <a href='/bons-cadeaux/'>bons cadeaux</a> !</p></div>" review="« Salon cosy, équipe adorable. » – Maud, il y a 5 jours" av="ACg8ocQ"
wanted balay="" insta="❤ 120 · Ombré caramel" open="Fermé actuellement · ouvre mardi à 9 h"
noise rating="4,9 sur la base de 230 avis" promo="" cookie="<div id='axeptio_overlay'>Les cookies, c’est vous qui décidez ! <button>OK pour moi</button> <button>Non merci</button></div>" open="Ouvert · ferme à 19 h" insta="❤ 73 · Coupe garçonne" post1="<a href='/cheveux-et-soleil/'>Cheveux et soleil : nos conseils</a>" post2="<a href='/tendances-2026/'>Les tendances 2026</a>"
wanted kid="12" rating="4,9 sur la base de 231 avis" open="Ouvert · ferme à 17 h"
