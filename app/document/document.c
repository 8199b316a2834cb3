/* Access to the document of a session. */
#include "document.h"

const document *document_of(const odori_session *s)
{
    static const document none;
    return s->owner ? s->owner : &none;
}
