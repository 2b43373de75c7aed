kind sites
media text/html
<!DOCTYPE html>
<html lang="es">
<head>
<meta charset="utf-8">
<title>Programación y entradas | Sala Miralta, Zaragoza</title>
<link rel="stylesheet" href="/css/miralta.min.css?cb={cb}">
<script async src="https://www.googletagmanager.com/gtag/js?id=G-MIR{n}"></script>
</head>
<body class="pagina pagina--programacion {theme}">
<header class="cabecera"><div class="cabecera__barra"><span class="cabecera__tiempo">{tiempo}</span><a href="/eu/">English</a> <a href="/mi-cuenta">Mi cuenta</a> <a href="/cesta">Cesta (0)</a></div>
<a class="cabecera__logo" href="/"><img src="/img/logo-miralta.svg?{cb}" alt="Sala Miralta"></a>
<nav class="menu" aria-label="Principal"><ul class="menu__lista"><li class="menu__item"><a href="/">Inicio</a></li><li class="menu__item menu__item--activo"><a href="/programacion">Programación</a></li><li class="menu__item"><a href="/abonos">Abonos</a></li><li class="menu__item"><a href="/escuela">Escuela</a></li><li class="menu__item"><a href="/bar">Bar</a></li><li class="menu__item"><a href="/alquiler">Alquiler de sala</a></li><li class="menu__item"><a href="/prensa">Prensa</a></li><li class="menu__item"><a href="/como-llegar">Cómo llegar</a></li><li class="menu__item"><a href="/contacto">Contacto</a></li>{menu}</ul></nav></header>
<ol class="migas"><li><a href="/">Inicio</a></li><li><a href="/programacion">Programación</a></li><li>Primavera</li></ol>
<div class="rejilla"><main class="rejilla__principal">
<h1 class="titulo">Programación de primavera</h1>
<p class="entradilla">Conciertos, teatro de bolsillo y alguna sorpresa. La taquilla abre una hora antes de cada función. Los menores de 16 años entran acompañados.</p>
{aviso}
<div class="eventos">
<article class="evento" data-ev="{cb}01"><time class="evento__fecha">Vie 11 abr · {hora1}</time><h2 class="evento__nombre"><a href="/ev/olivas">Las Olivas Negras</a></h2><p class="evento__genero">Folk eléctrico</p><p class="evento__precio">Desde {precio1}</p><p class="evento__viendo">{viendo1} personas viendo este evento</p><a class="boton" href="/compra/olivas?s={n}">{boton1}</a></article>
<article class="evento" data-ev="{cb}02"><time class="evento__fecha">{fecha2}</time><h2 class="evento__nombre"><a href="/ev/carmona">Trío Carmona</a></h2><p class="evento__genero">Jazz</p><p class="evento__precio">Desde 18 €</p><p class="evento__viendo">{viendo2} personas viendo este evento</p><a class="boton" href="/compra/carmona?s={n}">{boton2}</a></article>
{carmonabis}
<article class="evento" data-ev="{cb}03"><time class="evento__fecha">Dom 27 abr · 12:00</time><h2 class="evento__nombre"><a href="/ev/titeres">Títeres de la Ribera</a></h2><p class="evento__genero">Teatro familiar</p><p class="evento__precio">{precio3}</p><a class="boton" href="/compra/titeres?s={n}">Comprar entradas</a></article>
<article class="evento" data-ev="{cb}04"><time class="evento__fecha">Sáb 10 may · 21:30</time><h2 class="evento__nombre"><a href="/ev/niebla">Niebla Baja</a></h2><p class="evento__genero">{genero4}</p><p class="evento__precio">Desde 22 €</p><p class="evento__viendo">{viendo4} personas viendo este evento</p><a class="boton" href="/compra/niebla?s={n}">{boton4}</a></article>
{nuevos}
</div>
<p class="nota">Gastos de gestión: {gastos} por entrada. No se admiten cambios ni devoluciones salvo cancelación.</p>
<div class="compartir"><a href="#wa">WhatsApp</a> <a href="#fb">Facebook</a> <a href="#x">X</a> <a href="#tg">Telegram</a></div>
</main>
<aside class="rejilla__lateral"><section class="caja caja--cuenta"><h3>Festival Ebro Sonoro</h3><p>Faltan <b>{faltan}</b> días</p></section>
<section class="caja"><h3>Lo más visto</h3><ol><li>{visto1}</li><li>{visto2}</li><li>{visto3}</li></ol></section>
<section class="caja"><h3>En Instagram</h3><p>{insta}</p></section>
<section class="caja caja--patrocinio"><h3>Colaboran</h3><p>{colabora}</p></section></aside></div>
<footer class="pie"><div class="pie__col"><b>Sala Miralta</b><br>Calle del Temple, 21<br>50003 Zaragoza</div><ul class="pie__enlaces"><li><a href="/aviso-legal">Aviso legal</a></li><li><a href="/privacidad">Privacidad</a></li><li><a href="/cookies">Política de cookies</a></li><li><a href="/accesibilidad">Accesibilidad</a></li></ul><p class="pie__redes"><a href="https://www.instagram.com/miralta">Instagram</a> <a href="https://www.facebook.com/miralta">Facebook</a> <a href="https://open.spotify.com/user/miralta">Spotify</a></p><p class="pie__copy">© {anio} Sala Miralta S. Coop. · Visitas: {visitas}</p></footer>
{boletin}
{cookies}
</body></html>
-- looks --
first cb="7f01" theme="" tiempo="Zaragoza, 19 °C" menu="" aviso="" hora1="21:00" precio1="14 €" viendo1="12" viendo2="31" viendo4="8" boton1="Comprar entradas" fecha2="Sáb 19 abr · 20:30" boton2="Comprar entradas" boton4="Comprar entradas" carmonabis="" precio3="Desde 8 €" genero4="Rock" nuevos="" gastos="1,20 €" faltan="74" visto1="Trío Carmona" visto2="Las Olivas Negras" visto3="Abono joven" insta="Foto: prueba de sonido de ayer. 214 me gusta" colabora="Cervezas Moncayo · Librería El Soto" anio="2025" visitas="188.204" boletin="" cookies="<div class='cookies' role='dialog'><p>Utilizamos cookies propias y de terceros para analizar el uso del sitio y mostrarte publicidad relacionada con tus preferencias.</p><button>Aceptar</button><button>Rechazar</button><button>Configurar</button></div>"
noise tiempo="Zaragoza, 17 °C" viendo1="9" viendo2="27" viendo4="11" visitas="188.391"
wanted boton2="Últimas entradas" viendo1="14" viendo2="58" viendo4="7" visitas="188.650" tiempo="Zaragoza, 16 °C"
noise faltan="73" viendo1="10" viendo2="44" viendo4="6" visitas="188.902" visto1="Las Olivas Negras" visto2="Trío Carmona" visto3="Niebla Baja" cookies=""
wanted boton2="Agotado" viendo1="11" viendo2="19" viendo4="9" visitas="189.377" faltan="72"
wanted carmonabis="<article class='evento'><time class='evento__fecha'>Dom 20 abr · 19:00</time><h2 class='evento__nombre'><a href='/ev/carmona-bis'>Trío Carmona (segunda función)</a></h2><p class='evento__genero'>Jazz</p><p class='evento__precio'>Desde 18 €</p><a class='boton' href='/compra/carmona-bis'>Comprar entradas</a></article>" viendo1="13" viendo2="22" viendo4="5" visitas="189.845" tiempo="Zaragoza, 21 °C"
noise insta="Foto: el camerino recién pintado. 97 me gusta" viendo1="8" viendo2="15" viendo4="12" visitas="190.018" faltan="71"
equal cb="8a44" theme="tema-claro"
noise boletin="<div class='modal'><h3>No te pierdas nada</h3><p>Suscríbete a nuestro boletín y entra en el sorteo de dos abonos.</p><input type='email' placeholder='Tu correo'><button>Suscribirme</button><button>Ahora no</button></div>" viendo1="16" viendo2="17" viendo4="10" visitas="190.233"
wanted hora1="22:00" boletin="" viendo1="18" viendo2="14" viendo4="9" visitas="190.470" tiempo="Zaragoza, 23 °C"
noise menu="<li class='menu__item'><a href='/tienda'>Tienda</a></li>" viendo1="12" viendo2="9" viendo4="13" visitas="190.702" colabora="Cervezas Moncayo · Librería El Soto · Radio Ebro" visto1="Niebla Baja" visto2="Las Olivas Negras" visto3="Títeres de la Ribera"
wanted aviso="<p class='aviso'>El concierto de Niebla Baja se aplaza al 14 de junio. Las entradas siguen siendo válidas.</p>" boton4="Aplazado" viendo1="15" viendo2="8" viendo4="40" visitas="191.115"
broken page="<!DOCTYPE html><html lang='es'><head><title>Sala de espera</title></head><body><h1>Estás en la cola</h1><p>Hay mucha gente intentando entrar. Tu número en la cola es 4.182. Esta página se actualizará sola; no la cierres.</p></body></html>"
wanted nuevos="<article class='evento'><time class='evento__fecha'>Vie 30 may · 21:00</time><h2 class='evento__nombre'><a href='/ev/sirga'>Sirga</a></h2><p class='evento__genero'>Canción de autora</p><p class='evento__precio'>Desde 16 €</p><a class='boton' href='/compra/sirga'>Comprar entradas</a></article>" viendo1="9" viendo2="6" viendo4="21" visitas="191.608" faltan="66"
noise viendo1="7" viendo2="5" viendo4="18" visitas="191.744" tiempo="Zaragoza, 20 °C" insta="Vídeo: así suena la sala vacía. 431 me gusta"
wanted gastos="1,50 €" viendo1="11" viendo2="7" viendo4="16" visitas="191.990"
