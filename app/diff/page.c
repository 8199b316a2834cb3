/*
 * Writes the page of reports. report.html, report.css, report.js and list.js are embedded by the build. The
 * page's policy allows only these scripts and this style, by their hashes, so that no text of a stranger
 * becomes a script.
 */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/html.h"
#include "base/message.h"
#include "base/output.h"
#include "odori_report.h"

bool page_write(const char *path, const char *data, bool others)
{
    char *const hashes[] = {html_base64_text(report_css_sha256, sizeof report_css_sha256),
                            html_base64_text(report_js_sha256, sizeof report_js_sha256),
                            html_base64_text(list_js_sha256, sizeof list_js_sha256)};
    const bool complete = hashes[0] && hashes[1] && hashes[2];
    const html_part parts[] = {{"style", report_css, false},
                               {"script", report_js, false},
                               {"list", list_js, false},
                               {"style_hash", hashes[0], false},
                               {"script_hash", hashes[1], false},
                               {"list_hash", hashes[2], false},
                               {"others", others ? " 'self' file:" : "", false},
                               {"data", data, true}};
    output out;
    bool ok = complete && output_open(&out, path);
    if (ok) {
        html_put_page(out.stream, report_html, parts, sizeof parts / sizeof *parts);
        ok = output_commit(&out);
    }
    if (!complete)
        message("out of memory");
    for (int i = 0; i < 3; i++)
        free(hashes[i]);
    return ok;
}
