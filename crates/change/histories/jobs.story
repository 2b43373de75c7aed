kind unmarked
media text/html
<html><head><title>Work with us</title></head><body><div class="a">
<div class="b"><h1>Work with us</h1><p>We are eleven people in a former sail loft who make lamps, and now and then we look for somebody who would like to make them with us. Write to Ana.</p></div>
<div class="c"><div>{jobs}</div>
<div class="d"><a href="https://www.instagram.com/loft">Instagram</a><a href="https://www.youtube.com/loft">YouTube</a><a href="/terms">Terms</a>{footer}</div></div></div></body></html>
-- looks --
first jobs="<div><a href='/jobs/1'>Glass blower</a></div><div><a href='/jobs/2'>Welder</a></div><div><a href='/jobs/3'>Driver</a></div>" footer=""
noise footer="<a href='/press'>Press</a>"
wanted jobs="<div><a href='/jobs/1'>Glass blower</a></div><div><a href='/jobs/2'>Welder</a></div><div><a href='/jobs/3'>Driver</a></div><div><a href='/jobs/4'>Bookkeeper</a></div>"
wanted jobs="<div><a href='/jobs/1'>Glass blower</a></div><div><a href='/jobs/3'>Driver</a></div><div><a href='/jobs/4'>Bookkeeper</a></div>"
noise footer=""
wanted jobs="<div><a href='/jobs/1'>Glass blower</a></div><div><a href='/jobs/3'>Driver</a></div><div><a href='/jobs/4'>Bookkeeper</a></div><div><a href='/jobs/5'>Photographer</a></div><div><a href='/jobs/6'>Cook</a></div><div><a href='/jobs/7'>Packer</a></div><div><a href='/jobs/8'>Lawyer</a></div><div><a href='/jobs/9'>Nurse</a></div><div><a href='/jobs/10'>Tailor</a></div>"
wanted jobs="<div><a href='/jobs/1'>Glass blower</a></div><div><a href='/jobs/3'>Driver</a></div>"
