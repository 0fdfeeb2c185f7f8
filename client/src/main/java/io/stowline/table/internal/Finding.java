package io.stowline.table.internal;

import io.stowline.table.Written;

/** What a look at an entity says of a write to it whose answer was lost. */
sealed interface Finding {

    /** It was carried out, or what it was to bring about is there. */
    record Done(Written written) implements Finding {}

    /** It was not carried out and will not be. */
    record Refused(String how) implements Finding {}

    /** It was not carried out so far; whether it will be shows once its horizon has passed. */
    record Open() implements Finding {}

    /** Nobody can tell. */
    record Unknown(String seen) implements Finding {}
}
