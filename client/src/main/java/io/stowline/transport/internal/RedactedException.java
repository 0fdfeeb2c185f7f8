package io.stowline.transport.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stands for an exception whose text, or that of one behind it, shows a secret: its type, text and places without the secret. */
final class RedactedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private RedactedException(String shown, @Nullable Throwable cause) {
        super(shown, cause);
    }

    static boolean isNeededFor(Throwable error) {
        return isNeededFor(error, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean isNeededFor(@Nullable Throwable error, Set<Throwable> seen) {
        if (error == null || !seen.add(error)) {
            return false;
        }
        String text = error.toString();
        if (!Redaction.of(text).equals(text) || isNeededFor(error.getCause(), seen)) {
            return true;
        }
        for (Throwable suppressed : error.getSuppressed()) {
            if (isNeededFor(suppressed, seen)) {
                return true;
            }
        }
        return false;
    }

    static RedactedException of(Throwable error) {
        return of(error, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static RedactedException of(Throwable error, Set<Throwable> seen) {
        seen.add(error);
        Throwable cause = error.getCause();
        RedactedException stand = new RedactedException(
                Redaction.of(error.toString()), cause == null || seen.contains(cause) ? null : of(cause, seen));
        stand.setStackTrace(error.getStackTrace());
        for (Throwable suppressed : error.getSuppressed()) {
            if (!seen.contains(suppressed)) {
                stand.addSuppressed(of(suppressed, seen));
            }
        }
        return stand;
    }
}
