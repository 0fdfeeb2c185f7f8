package io.stowline.transport.internal.account;

import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.http.response.WriteTracker;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** A credential gave no token, so that nothing was sent. Its cause shows no secret. */
public final class TokenRequestException extends RuntimeException implements WriteTracker.NothingSent {

    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 20;

    private final boolean unreachable;

    public TokenRequestException(@Nullable Throwable cause) {
        super(
                "the credential gave no token" + (cause == null ? "" : ": " + Redaction.text(cause)),
                cause == null ? null : Redaction.of(cause));
        this.unreachable = cause != null && unreachable(cause);
    }

    static TokenRequestException of(Throwable error) {
        return error instanceof TokenRequestException known
                ? known
                : new TokenRequestException(Exceptions.unwrap(error));
    }

    /** Returns whether it could not reach the issuer of tokens; another attempt may. */
    public boolean unreachable() {
        return unreachable;
    }

    private static boolean unreachable(Throwable error) {
        Throwable next = error;
        for (int depth = 0; next != null && depth < DEEPEST; depth++) {
            if (next instanceof IOException || next instanceof TimeoutException) {
                return true;
            }
            next = next.getCause();
        }
        return false;
    }
}
