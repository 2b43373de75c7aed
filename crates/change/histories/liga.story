kind sites-3
media text/html
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="es">
<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>Clasificación – Segunda Regional, Grupo 4 – FutbolComarcal</title>
<link href="/css/estilos.css?v={v}" rel="stylesheet" type="text/css" />
<script type="text/javascript" src="//ads.example/tag.js?zone={z}"></script></head>
<body onload="init('{sess}')">
<div id="contenedor">
<div id="publi-top" class="banner728">{pubtop}</div>
<div id="cabecera"><a href="/"><img src="/img/logo.png" alt="FutbolComarcal" /></a><div id="fecha">{fecha}</div><div id="usuarios">{users}</div></div>
<div id="menu"><ul><li><a href="/portada.php">Portada</a></li><li><a href="/resultados.php">Resultados</a></li><li class="sel"><a href="/clasificacion.php?g=4">Clasificaciones</a></li><li><a href="/foro.php?PHPSESSID={sess}">Foro</a></li><li><a href="/fotos.php">Fotos</a></li><li><a href="/fichajes.php">Fichajes</a></li></ul></div>
<div id="ticker"><b>ÚLTIMA HORA:</b> {ticker}</div>
<table id="cuerpo" cellspacing="0" cellpadding="0" width="100%"><tr><td id="col-izq" valign="top">
<h1>Segunda Regional – Grupo 4</h1><p class="jornada">Temporada 2025/26 · {jor}</p>
<table class="clasif" width="100%" cellspacing="1"><tr class="cab"><th>Pos</th><th>Equipo</th><th>PJ</th><th>G</th><th>E</th><th>P</th><th>GF</th><th>GC</th><th>Ptos</th></tr>
{tabla}
</table>
<p class="leyenda">{ley}</p>
<h2>Próxima jornada</h2>
<table class="prox" width="100%"><tr><td>{f1}</td></tr><tr><td>{f2}</td></tr><tr><td>{f3}</td></tr></table>
<div class="cuenta">{cuenta}</div>
<h2>Máximos goleadores</h2>
<table class="gol" width="100%"><tr><td>{g1}</td></tr><tr><td>{g2}</td></tr></table>
<div class="comentarios-cab">{coment}</div>
</td><td id="col-der" valign="top" width="300">
<div class="caja"><div class="tit">Encuesta</div>{encuesta}</div>
<div class="caja publi300">{pubder}</div>
<div class="caja"><div class="tit">Lo más leído</div><ol><li>{l1}</li><li>{l2}</li><li>{l3}</li></ol></div>
<div class="caja"><div class="tit">Foto del día</div><img src="/fotos/dia.jpg?{sess}" alt="" /><p>{foto}</p></div>
</td></tr></table>
<div id="pie">{pie} · <a href="/aviso-legal.php">Aviso legal</a> · <a href="/cookies.php">Política de cookies</a> · <a href="/contacto.php">Contacto</a></div>
</div>
<div id="avisocookies">{cook}</div>
</body></html>
-- looks --
first v="3.1" z="881" sess="5f0a" pubtop="<a href='#'>Apuestas Río: bono de bienvenida de 100 €</a>" fecha="lunes, 9 de febrero de 2026, 10:14" users="42 usuarios conectados" ticker="El Alcores B busca portero para la segunda vuelta" jor="Jornada 18" tabla="<tr><td>1</td><td>CD Valdepozo</td><td>18</td><td>13</td><td>3</td><td>2</td><td>41</td><td>15</td><td>42</td></tr><tr><td>2</td><td>UD Ribera Alta</td><td>18</td><td>12</td><td>4</td><td>2</td><td>38</td><td>17</td><td>40</td></tr><tr><td>3</td><td>Atlético Morales</td><td>18</td><td>10</td><td>4</td><td>4</td><td>33</td><td>21</td><td>34</td></tr><tr><td>4</td><td>SD Peñalba</td><td>18</td><td>6</td><td>5</td><td>7</td><td>22</td><td>25</td><td>23</td></tr><tr><td>5</td><td>Alcores B</td><td>18</td><td>3</td><td>2</td><td>13</td><td>14</td><td>44</td><td>11</td></tr>" ley="Asciende el primer clasificado. El segundo juega la promoción." f1="Dom 15/02 11:30 – CD Valdepozo – SD Peñalba (Municipal)" f2="Dom 15/02 12:00 – Alcores B – UD Ribera Alta (Los Pinos)" f3="Descansa: Atlético Morales" cuenta="Faltan 6 días y 1 hora para el primer partido" g1="Iker Sanz (Valdepozo) – 16" g2="Rubén Díez (Ribera Alta) – 14" coment="23 comentarios en esta clasificación" encuesta="¿Quién será campeón? Valdepozo 54 % · Ribera Alta 38 % · Otro 8 % (312 votos)" pubder="<a href='#'>Talleres Hnos. Gil – cambio de aceite 39 €</a>" l1="Entrevista a Iker Sanz: “Soñamos con subir”" l2="El Municipal estrena césped" l3="Los árbitros, a examen" foto="Derbi en Los Pinos, por M. Cano" pie="© 2005-2025 FutbolComarcal" cook="Este sitio usa cookies propias y de terceros. <a href='#'>Aceptar</a>"
noise fecha="miércoles, 11 de febrero de 2026, 19:40" users="67 usuarios conectados" cuenta="Faltan 3 días y 16 horas para el primer partido" pubtop="<a href='#'>Cervezas Molino, el sabor de la comarca</a>" encuesta="¿Quién será campeón? Valdepozo 55 % · Ribera Alta 37 % · Otro 8 % (340 votos)" l2="Los árbitros, a examen" l3="El once ideal de la jornada"
wanted f1="Sáb 14/02 17:00 – CD Valdepozo – SD Peñalba (Municipal)" fecha="jueves, 12 de febrero de 2026, 09:05" users="38 usuarios conectados" cuenta="Faltan 2 días y 8 horas para el primer partido"
noise fecha="viernes, 13 de febrero de 2026, 21:12" users="81 usuarios conectados" cuenta="Faltan 19 horas para el primer partido" ticker="Nuevo hilo en el foro: porras de la jornada 19" coment="26 comentarios en esta clasificación" foto="Entrenamiento pasado por agua, por J. Rey" pubder="<a href='#'>Clínica Fisio Norte, tu primera visita gratis</a>"
wanted jor="Jornada 19" tabla="<tr><td>1</td><td>CD Valdepozo</td><td>19</td><td>14</td><td>3</td><td>2</td><td>43</td><td>15</td><td>45</td></tr><tr><td>2</td><td>UD Ribera Alta</td><td>19</td><td>12</td><td>5</td><td>2</td><td>39</td><td>18</td><td>41</td></tr><tr><td>3</td><td>Atlético Morales</td><td>18</td><td>10</td><td>4</td><td>4</td><td>33</td><td>21</td><td>34</td></tr><tr><td>4</td><td>SD Peñalba</td><td>19</td><td>6</td><td>5</td><td>8</td><td>22</td><td>27</td><td>23</td></tr><tr><td>5</td><td>Alcores B</td><td>19</td><td>3</td><td>3</td><td>13</td><td>15</td><td>45</td><td>12</td></tr>" f1="Dom 22/02 11:30 – UD Ribera Alta – CD Valdepozo (La Vega)" f2="Dom 22/02 16:00 – Atlético Morales – Alcores B (Las Eras)" f3="Descansa: SD Peñalba" g1="Iker Sanz (Valdepozo) – 17" fecha="lunes, 16 de febrero de 2026, 08:30" users="95 usuarios conectados" cuenta="Faltan 6 días y 3 horas para el primer partido"
equal v="3.2" z="904" sess="c3d9" f3="<span class='desc'>Descansa: SD Peñalba</span>"
noise fecha="miércoles, 18 de febrero de 2026, 13:22" users="51 usuarios conectados" cuenta="Faltan 3 días y 22 horas para el primer partido" encuesta="¿Irás al derbi de La Vega? Sí 71 % · No 29 % (88 votos)" pubtop="<a href='#'>Apuestas Río: bono de bienvenida de 100 €</a>" l1="Guía del derbi de La Vega" coment="31 comentarios en esta clasificación"
wanted f2="APLAZADO – Atlético Morales – Alcores B (Las Eras)" fecha="viernes, 20 de febrero de 2026, 20:01" users="74 usuarios conectados" cuenta="Faltan 1 día y 15 horas para el primer partido" ticker="La lluvia deja Las Eras impracticable"
noise fecha="sábado, 21 de febrero de 2026, 18:45" users="112 usuarios conectados" cuenta="Faltan 16 horas para el primer partido" pubder="<a href='#'>Rebajas en Deportes Soto: botas al 40 %</a>" encuesta="¿Irás al derbi de La Vega? Sí 74 % · No 26 % (151 votos)" foto="La grada de La Vega, por M. Cano" l2="Diez derbis para el recuerdo"
broken page="<html><body><b>Warning</b>: mysql_connect(): Too many connections in <b>/home/futbol/www/inc/db.php</b> on line <b>14</b><br />No se ha podido conectar con la base de datos.</body></html>"
back fecha="domingo, 22 de febrero de 2026, 23:58" users="140 usuarios conectados" cuenta="El derbi ya se ha jugado: resultado en breve"
wanted jor="Jornada 20" tabla="<tr><td>1</td><td>CD Valdepozo</td><td>20</td><td>14</td><td>4</td><td>2</td><td>44</td><td>16</td><td>46</td></tr><tr><td>2</td><td>UD Ribera Alta</td><td>20</td><td>12</td><td>6</td><td>2</td><td>40</td><td>19</td><td>42</td></tr><tr><td>3</td><td>Atlético Morales</td><td>18</td><td>10</td><td>4</td><td>4</td><td>33</td><td>21</td><td>34</td></tr><tr><td>4</td><td>SD Peñalba</td><td>19</td><td>6</td><td>5</td><td>8</td><td>22</td><td>27</td><td>23</td></tr><tr><td>5</td><td>Alcores B</td><td>19</td><td>3</td><td>3</td><td>13</td><td>15</td><td>45</td><td>12</td></tr>" f1="Dom 01/03 11:30 – SD Peñalba – UD Ribera Alta (El Soto)" f2="Dom 01/03 12:00 – CD Valdepozo – Atlético Morales (Municipal)" f3="Descansa: Alcores B" fecha="lunes, 23 de febrero de 2026, 09:11" users="90 usuarios conectados" cuenta="Faltan 6 días y 2 horas para el primer partido"
wanted tabla="<tr><td>1</td><td>CD Valdepozo</td><td>20</td><td>14</td><td>4</td><td>2</td><td>44</td><td>16</td><td>43*</td></tr><tr><td>2</td><td>UD Ribera Alta</td><td>20</td><td>12</td><td>6</td><td>2</td><td>40</td><td>19</td><td>42</td></tr><tr><td>3</td><td>Atlético Morales</td><td>18</td><td>10</td><td>4</td><td>4</td><td>33</td><td>21</td><td>34</td></tr><tr><td>4</td><td>SD Peñalba</td><td>19</td><td>6</td><td>5</td><td>8</td><td>22</td><td>27</td><td>23</td></tr><tr><td>5</td><td>Alcores B</td><td>19</td><td>3</td><td>3</td><td>13</td><td>15</td><td>45</td><td>12</td></tr>" ley="Asciende el primer clasificado. El segundo juega la promoción. * Sanción de 3 puntos por alineación indebida." fecha="miércoles, 25 de febrero de 2026, 17:20" users="133 usuarios conectados" cuenta="Faltan 3 días y 18 horas para el primer partido"
noise fecha="jueves, 26 de febrero de 2026, 11:02" users="59 usuarios conectados" cuenta="Faltan 3 días para el primer partido" coment="78 comentarios en esta clasificación" pie="© 2005-2026 FutbolComarcal" cook="Nosotros y nuestros 214 socios usamos cookies. <a href='#'>Aceptar</a> <a href='#'>Rechazar y suscribirse</a>" l1="La sanción, en cinco claves" l3="Entrevista al presidente del Valdepozo" pubtop="<a href='#'>Cervezas Molino, el sabor de la comarca</a>" ticker="Vuelve el torneo de veteranos"
wanted g2="Rubén Díez (Ribera Alta) – 15" fecha="viernes, 27 de febrero de 2026, 12:34" users="64 usuarios conectados" cuenta="Faltan 1 día y 23 horas para el primer partido" pubder="<a href='#'>Talleres Hnos. Gil – cambio de aceite 39 €</a>"
