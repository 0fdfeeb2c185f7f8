package io.stowline.blob.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.StreamedAnswer;
import org.jspecify.annotations.Nullable;

/** Remembers why a body broke off, while its reader only sees it end. Serves one attempt. */
final class BodyBreak {

    private volatile @Nullable Throwable cause;

    @Nullable
    Throwable cause() {
        return cause;
    }

    HttpResponse quiet(HttpResponse response) {
        return new StreamedAnswer(
                response, body -> body.doOnError(error -> cause = error).onErrorComplete());
    }
}
