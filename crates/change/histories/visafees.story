kind sites-2
media text/html
<HTML><HEAD><TITLE>Embassy of the Republic of Kestria in Lisbon - Visa fees</TITLE>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8"><META NAME="generator" CONTENT="{gen}">
<LINK REL="stylesheet" HREF="/css/mission.css?{n}"></HEAD>
<BODY BGCOLOR="#FFFFFF" TOPMARGIN="0" LINK="#003366">
<TABLE WIDTH="980" ALIGN="center" BORDER="0" CELLSPACING="0" CELLPADDING="4">
<TR><TD COLSPAN="3" BGCOLOR="#12305A"><FONT COLOR="white" SIZE="5">Embassy of the Republic of Kestria</FONT><BR><FONT COLOR="white" SIZE="2">Lisbon, Portugal</FONT></TD></TR>
<TR><TD COLSPAN="3" BGCOLOR="#DDE4EE" CLASS="topbar"><A HREF="/index.aspx?sid=K{n}F0A">Home</A> | <A HREF="/ambassador.aspx">The Ambassador</A> | <A HREF="/consular.aspx">Consular services</A> | <A HREF="/visas.aspx">Visas</A> | <A HREF="/trade.aspx">Trade</A> | <A HREF="/culture.aspx">Culture</A> | <A HREF="/students.aspx">Students</A> | <A HREF="/news.aspx">News</A> | <A HREF="/contact.aspx">Contact</A>{menu} | <A HREF="?lang=pt">Português</A></TD></TR>
<TR><TD COLSPAN="3"><MARQUEE>{ticker}</MARQUEE></TD></TR>
<TR><TD COLSPAN="3"><FONT SIZE="1">You are here: <A HREF="/">Home</A> &gt; <A HREF="/consular.aspx">Consular services</A> &gt; <A HREF="/visas.aspx">Visas</A> &gt; Fees</FONT></TD></TR>
<TR VALIGN="top"><TD WIDTH="170" BGCOLOR="#F2F2F2">
<B>Visas</B><BR><A HREF="/visas/need.aspx">Do I need a visa?</A><BR><A HREF="/visas/types.aspx">Types of visa</A><BR><A HREF="/visas/how.aspx">How to apply</A><BR><A HREF="/visas/fees.aspx"><B>Fees</B></A><BR><A HREF="/visas/photo.aspx">Photo requirements</A><BR><A HREF="/visas/track.aspx?t={tok}">Track an application</A><BR><A HREF="/visas/faq.aspx">Questions</A><BR><BR>
<B>Consular section</B><BR>{hours}<BR>Rua das Amoreiras 88, 2.º<BR>1250-024 Lisboa<BR>Tel. +351 21 000 0000<BR><BR>
<B>Kestria now</B><BR>{now}<BR><BR>
<A HREF="/visit"><IMG SRC="/img/{img}.gif" BORDER="0" WIDTH="150"></A></TD>
<TD WIDTH="640">
<H1>Visa fees</H1>
<P>The fees below are charged for each applicant and each application. They are set by the Consular Fees Order and apply to applications lodged at the Embassy in Lisbon and at the honorary consulates in Porto and Funchal.</P>
<TABLE BORDER="1" CELLPADDING="5" CELLSPACING="0" WIDTH="100%">
<TR BGCOLOR="#CCD6E6"><TH>Visa</TH><TH>Entries</TH><TH>Fee (EUR)</TH><TH>Usual processing</TH></TR>
<TR><TD>A - Airport transit</TD><TD>1</TD><TD ALIGN="right">{transit}</TD><TD>5 working days</TD></TR>
<TR><TD>B - Visit, up to 30 days</TD><TD>1</TD><TD ALIGN="right">60</TD><TD>10 working days</TD></TR>
<TR><TD>B - Visit, up to 90 days</TD><TD>Multiple</TD><TD ALIGN="right">95</TD><TD>{proc}</TD></TR>
{rowc}
<TR><TD>D - Study</TD><TD>Multiple</TD><TD ALIGN="right">80</TD><TD>20 working days</TD></TR>
<TR><TD>E - Work</TD><TD>Multiple</TD><TD ALIGN="right">180</TD><TD>30 working days</TD></TR>
<TR><TD>F - Family reunion</TD><TD>Multiple</TD><TD ALIGN="right">120</TD><TD>30 working days</TD></TR>
<TR><TD>Urgent handling (A and B only)</TD><TD>-</TD><TD ALIGN="right">+ 50</TD><TD>3 working days</TD></TR>
</TABLE>
<H3>Who does not pay</H3>
<UL><LI>Children under {age} years of age</LI><LI>Spouses of Kestrian citizens, on showing the marriage certificate</LI><LI>Holders of diplomatic and official passports</LI><LI>Pupils and teachers on a school exchange</LI></UL>
<H3>How to pay</H3>
<P>{pay} Cheques are not taken. The fee is not returned when an application is refused or withdrawn.</P>
<H3>Forms</H3>
<P><A HREF="{formref}">Application form</A> {formnote}<BR><A HREF="/docs/invitation.pdf">Letter of invitation</A> (PDF, 88 KB)</P>
<P><FONT SIZE="1">{stamp}</FONT></P></TD>
<TD WIDTH="170"><B>Latest news</B><BR>{news}<BR><BR><B>Poll</B><BR>{poll}</TD></TR>
<TR><TD COLSPAN="3" BGCOLOR="#12305A" ALIGN="center"><FONT COLOR="white" SIZE="1">{copy} | <A HREF="/legal.aspx">Legal notice</A> | <A HREF="/privacy.aspx">Privacy</A> | <A HREF="https://facebook.example/kestria.lisbon">Facebook</A> | <A HREF="https://instagram.example/kestria.lisbon">Instagram</A> | {visits}</FONT></TD></TR>
<TR><TD COLSPAN="3" CLASS="ck"><FONT SIZE="1">{cookie}</FONT></TD></TR>
</TABLE></BODY></HTML>
-- looks --
first gen="MissionCMS 2.4" menu="" ticker="Kestria wishes all its friends in Portugal a happy spring!" tok="99a1" hours="Monday to Thursday<BR>9:00 - 12:30" now="Velm 14:22, 9°C, rain" img="castle" transit="35" proc="15 working days" rowc="<TR><TD>C - Business</TD><TD>Multiple</TD><TD ALIGN='right'>110</TD><TD>15 working days</TD></TR>" age="6" pay="Pay in cash or by bank card when you lodge the application." formref="/docs/form-k1.pdf" formnote="(PDF, 214 KB, edition of January 2025)" stamp="Printed from the web on 3 March 2026, 13:22" news="<A HREF='/news/311'>Ambassador visits Braga</A><BR><A HREF='/news/310'>Film week in Coimbra</A>" poll="Did you find what you were looking for? <A HREF='/poll?y'>Yes</A> <A HREF='/poll?n'>No</A>" copy="© 2008-2026 Ministry of Foreign Affairs of Kestria" visits="Visitors: 1048211" cookie="This site uses cookies. By going on you agree. <A HREF='/cookies'>OK</A>"
wanted transit="40" visits="Visitors: 1048873"
noise now="Velm 11:05, 12°C, sun" img="lake" stamp="Printed from the web on 6 March 2026, 10:05" news="<A HREF='/news/312'>Kestrian wines at the Lisbon fair</A><BR><A HREF='/news/311'>Ambassador visits Braga</A>" visits="Visitors: 1050440"
wanted hours="Monday to Wednesday<BR>9:00 - 12:30" stamp="Printed from the web on 10 March 2026, 09:40"
equal gen="MissionCMS 2.4.1" tok="0f7c" formref="/docs/form-k1.pdf?sid=77102bd0"
noise ticker="On 2 April the Embassy celebrates 30 years of friendship with Portugal. <A HREF='/30'>See the photos</A>" menu=" | <A HREF='/jubilee.aspx'>30 years</A>" visits="Visitors: 1052907"
broken page="<HTML><HEAD><TITLE>Runtime Error</TITLE></HEAD><BODY BGCOLOR='white'><H1>Server Error in '/' Application.</H1><H2><I>Runtime Error</I></H2><P><B>Description:</B> An application error occurred on the server. The current custom error settings for this application prevent the details of the application error from being viewed.</P><HR><P>Version Information: 4.0.30319</P></BODY></HTML>"
back now="Velm 08:51, 7°C, fog" stamp="Printed from the web on 17 March 2026, 07:51" visits="Visitors: 1055012"
wanted age="12"
wanted proc="20 working days" visits="Visitors: 1056390" ticker="Tomorrow is World Water Day. Kestria has 1,100 lakes!"
noise poll="Kestria in your summer plans? <A HREF='/poll?a'>Surely</A> <A HREF='/poll?b'>Maybe</A> <A HREF='/poll?c'>Not yet</A>" cookie="We use cookies to count visits. <A HREF='/cookies?ok'>Accept</A> <A HREF='/cookies?no'>Refuse</A>" img="coast"
wanted formref="/docs/form-k1-2026.pdf" formnote="(PDF, 221 KB, edition of March 2026)" news="<A HREF='/news/313'>Scholarship winners named</A><BR><A HREF='/news/312'>Kestrian wines at the Lisbon fair</A>" now="Velm 16:40, 15°C, sun"
noise copy="© 2008-2026 Ministry of Foreign Affairs of Kestria. Made by Direcção Web." stamp="Printed from the web on 25 March 2026, 15:40" now="Velm 17:40, 13°C, cloud" visits="Visitors: 1059220"
wanted pay="Pay by bank card when you lodge the application."
