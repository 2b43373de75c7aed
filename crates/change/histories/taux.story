kind sites-2
media text/html
<!DOCTYPE html>
<html lang="fr"><head><meta charset="utf-8"><title>Nos taux – Banque Coopérative du Littoral</title><script nonce="{nonce}">window.tc_vars=["taux","{nonce}","v{n}"];</script></head>
<body>
<div class="bandeau" role="banner">{bandeau}</div>
<header class="entete"><a class="logo" href="/">BCL</a><ul class="univers"><li><a href="/particuliers">Particuliers</a></li><li><a href="/pro">Professionnels</a></li><li><a href="/agri">Agriculteurs</a></li><li><a href="/assoc">Associations</a></li></ul><a class="acces" href="https://client.bcl.example/login;jsessionid={jsid}">{acces}</a>
<nav><ul><li><a href="/comptes">Comptes et cartes</a></li><li><a href="/epargne">Épargne</a></li><li><a href="/credits">Crédits</a></li><li><a href="/assurances">Assurances</a></li><li><a href="/bourse">Bourse</a></li><li><a href="/agences">Trouver une agence</a></li><li><a href="/aide">Aide</a></li><li><a href="/urgence">Urgence carte</a></li></ul></nav>
<div class="indices">{indices}</div></header>
<nav class="ariane"><a href="/">Accueil</a> &gt; <a href="/tarifs">Tarifs et conditions</a> &gt; <span>Nos taux</span></nav>
<main>
<h1>Nos taux</h1>
<p class="maj">{consulte}</p>
<p>Retrouvez ici la rémunération de vos livrets et de vos comptes à terme ainsi que les taux indicatifs de nos crédits. Les taux d’intérêt s’entendent bruts annuels, sauf mention contraire.</p>
<section aria-labelledby="t1"><h2 id="t1">Épargne réglementée</h2>
<table class="taux"><thead><tr><th scope="col">Produit</th><th scope="col">Taux</th><th scope="col">Plafond</th></tr></thead><tbody>
<tr><th scope="row">Livret A</th><td>1,70 % net</td><td>22 950 €</td></tr>
<tr><th scope="row">Livret de développement durable</th><td>1,70 % net</td><td>12 000 €</td></tr>
<tr><th scope="row">Livret d’épargne populaire</th><td>{lep}</td><td>10 000 €</td></tr>
<tr><th scope="row">Plan d’épargne logement</th><td>1,75 %</td><td>61 200 €</td></tr></tbody></table></section>
<aside class="pub">{pub}</aside>
<section aria-labelledby="t2"><h2 id="t2">Livrets et comptes à terme BCL</h2>
<table class="taux"><thead><tr><th scope="col">Produit</th><th scope="col">Durée</th><th scope="col">Taux</th><th scope="col">Minimum</th></tr></thead><tbody>
<tr><th scope="row">Livret Littoral</th><td>–</td><td>{litt}</td><td>10 €</td></tr>
<tr><th scope="row">Livret Jeune Marin</th><td>–</td><td>2,10 %</td><td>10 €</td></tr>
<tr><th scope="row">Compte à terme Escale</th><td>6 mois</td><td>1,90 %</td><td>{escmin}</td></tr>
<tr><th scope="row">Compte à terme Escale</th><td>12 mois</td><td>{esc12}</td><td>5 000 €</td></tr>
{esc36}</tbody></table><p class="note">{promo}</p></section>
<section aria-labelledby="t3"><h2 id="t3">Crédits (taux indicatifs)</h2>
<table class="taux"><thead><tr><th scope="col">Crédit</th><th scope="col">Durée</th><th scope="col">Taux débiteur fixe</th></tr></thead><tbody>
<tr><th scope="row">Immobilier</th><td>15 ans</td><td>{im15}</td></tr>
<tr><th scope="row">Immobilier</th><td>20 ans</td><td>{im20}</td></tr>
<tr><th scope="row">Immobilier</th><td>25 ans</td><td>3,45 %</td></tr>
<tr><th scope="row">Auto neuve</th><td>48 mois</td><td>4,20 %</td></tr>
<tr><th scope="row">Travaux</th><td>60 mois</td><td>4,60 %</td></tr></tbody></table>
<p class="note">Exemple : pour un crédit de 150 000 € sur 20 ans, hors assurance facultative, sous réserve d’acceptation du dossier. Un crédit vous engage et doit être remboursé. {valid}</p></section>
<section class="docs"><h2>Documents</h2><ul><li><a href="/docs/conditions-tarifaires-2026.pdf">Conditions tarifaires 2026 (PDF, 1,2 Mo)</a></li><li><a href="/docs/guide-epargne.pdf">Guide de l’épargne (PDF, 640 Ko)</a></li></ul></section>
</main>
<aside class="lateral"><section><h2>Ils nous font confiance</h2><p>{avis}</p></section><section><h2>Nos offres du moment</h2><ul>{offres}</ul></section><section><h2>Simulateurs</h2><a href="/sim/credit?k={n}">Crédit</a> <a href="/sim/epargne?k={n}">Épargne</a></section></aside>
<div class="sondage">{sondage}</div>
<footer><p><a href="/mentions">Mentions légales</a> <a href="/cookies">Cookies</a> <a href="/donnees">Données personnelles</a> <a href="/reclamations">Réclamations</a> <a href="/securite">Sécurité</a></p><p><a href="https://linkedin.example/bcl">LinkedIn</a> <a href="https://x.example/bcl">X</a> <a href="https://facebook.example/bcl">Facebook</a></p><p>{pied}</p></footer>
<div id="tc-privacy">{cookies}</div></body></html>
-- looks --
first nonce="9sd8f7" bandeau="Attention aux faux conseillers : ne donnez jamais vos codes." jsid="A1B2C3" acces="Mon espace" indices="CAC 40 8 112,40 +0,31 % · EUR/USD 1,0841 · Brent 74,10" consulte="Taux consultés le 02/03/2026 à 09:14" lep="2,70 % net" pub="<a href='/cartes/ocean'>Carte Océan : la première année offerte</a>" litt="1,25 %" escmin="5 000 €" esc12="2,15 %" esc36="<tr><th scope='row'>Compte à terme Escale</th><td>36 mois</td><td>2,40 %</td><td>5 000 €</td></tr>" promo="Taux promotionnel de 3 % pendant trois mois pour toute ouverture d’un Livret Littoral avant le 31 mars 2026." im15="3,05 %" im20="3,25 %" valid="Taux valables jusqu’au 31 mars 2026." avis="4,6/5 – 2 314 avis vérifiés" offres="<li><a href='/o/1'>Parrainage : 80 € pour vous</a></li><li><a href='/o/2'>Assurance bateau : deux mois offerts</a></li><li><a href='/o/3'>Prêt étudiant sans frais</a></li>" sondage="" pied="© 2026 Banque Coopérative du Littoral – SA coopérative au capital variable – RCS La Rochelle" cookies="Nous respectons votre vie privée. <button>Tout accepter</button> <button>Continuer sans accepter</button>"
noise indices="CAC 40 8 087,15 -0,31 % · EUR/USD 1,0829 · Brent 73,85" consulte="Taux consultés le 03/03/2026 à 09:15" avis="4,6/5 – 2 319 avis vérifiés"
wanted esc12="2,05 %" indices="CAC 40 8 140,02 +0,65 % · EUR/USD 1,0855 · Brent 74,60" consulte="Taux consultés le 05/03/2026 à 09:14"
noise pub="<a href='/assurance/maison'>Assurance habitation : devis en 3 minutes</a>" offres="<li><a href='/o/2'>Assurance bateau : deux mois offerts</a></li><li><a href='/o/3'>Prêt étudiant sans frais</a></li><li><a href='/o/1'>Parrainage : 80 € pour vous</a></li>" consulte="Taux consultés le 06/03/2026 à 09:14"
wanted escmin="10 000 €"
equal nonce="17ac02" jsid="77ZZ90" litt="<span data-taux='1.25'>1,25</span> %" im20="<!-- maj 03 --><strong>3,25 %</strong>"
noise bandeau="Nouveau : prenez rendez-vous en visio avec votre conseiller." acces="Se connecter" indices="CAC 40 8 201,77 +0,12 % · EUR/USD 1,0872 · Brent 75,02" consulte="Taux consultés le 12/03/2026 à 09:16" sondage="Donnez votre avis sur notre site : <a href='/enquete?id=4471'>2 minutes suffisent</a>"
wanted promo="Taux promotionnel de 3 % pendant trois mois pour toute ouverture d’un Livret Littoral avant le 30 avril 2026."
broken page="<!DOCTYPE html><html lang='fr'><head><title>Banque Coopérative du Littoral</title></head><body><div class='maintenance'><img src='/img/phare.svg' alt=''><h1>Nous revenons très vite</h1><p>Notre site est momentanément indisponible en raison d’une opération de maintenance. Vos opérations par carte ne sont pas concernées.</p><p>Référence : 0x7f31-20260319</p></div></body></html>"
wanted im20="<strong>3,20 %</strong>" consulte="Taux consultés le 20/03/2026 à 09:14" indices="CAC 40 8 166,90 -0,44 % · EUR/USD 1,0860 · Brent 74,45" avis="4,6/5 – 2 351 avis vérifiés"
noise sondage="" cookies="Avec votre accord, nous et nos partenaires utilisons des cookies. <button>J’accepte</button> <button>Je refuse</button> <button>Je choisis</button>" pied="© 2026 Banque Coopérative du Littoral – SA coopérative au capital variable – RCS La Rochelle – Orias 07 000 000" avis="4,7/5 – 2 360 avis vérifiés"
wanted esc36="" pub="<a href='/cartes/ocean'>Carte Océan : la première année offerte</a>"
noise consulte="Taux consultés le 26/03/2026 à 09:15" indices="CAC 40 8 190,33 +0,29 % · EUR/USD 1,0848 · Brent 73,20" offres="<li><a href='/o/4'>Épargne retraite : bilan offert</a></li><li><a href='/o/2'>Assurance bateau : deux mois offerts</a></li>" pub="<a href='/credit/velo'>Un vélo électrique dès 25 € par mois</a>"
wanted valid="Taux valables jusqu’au 30 avril 2026." consulte="Taux consultés le 01/04/2026 à 09:14"
noise indices="CAC 40 8 204,61 +0,17 % · EUR/USD 1,0850 · Brent 73,92" consulte="Taux consultés le 02/04/2026 à 09:14" bandeau="Lundi de Pâques : nos agences sont fermées le 6 avril."
