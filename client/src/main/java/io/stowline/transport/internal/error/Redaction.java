package io.stowline.transport.internal.error;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A filter that takes secrets out of texts that came from outside: what a service, an HTTP client or a credential reports may repeat the address with
 * its signature, or a header. Whatever looks like a secret is one.
 */
public final class Redaction {

    private static final String GONE = "***";
    /** The first group of each stays. */
    private static final List<Pattern> SECRETS = List.of(
            // sig=… of a SAS, percent-encoded or not
            Pattern.compile("(?i)((?<![a-z])sig(?:=|%3D))(?!\\*{3})[^&\\s\"'<>\\\\;,)\\]}]+"),
            // settings of a connection string
            Pattern.compile("(?i)((?<!\\w)AccountKey\\s*=\\s*)[^;\\s\"'<>]+"),
            Pattern.compile("(?i)((?<!\\w)SharedAccessSignature\\s*=\\s*)[^;\\s\"'<>]+"),
            // Authorization headers, and the texts of the service about one
            Pattern.compile("(?i)((?<!\\w)Bearer\\s+)[\\w.~+/=-]+"),
            Pattern.compile("(?i)((?<!\\w)SharedKey(?:Lite)?\\s+[\\w-]+:)[\\w+/=-]+"),
            Pattern.compile("(?i)((?<!\\w)signature found in the HTTP request\\s+')[^']+"),
            // responses and requests of token endpoints
            Pattern.compile(
                    "(?i)((?<!\\w)(?:access_token|refresh_token|id_token|client_secret|client_assertion|password)\"?\\s*[=:]\\s*\"?)[^&\\s\"]+"),
            // a JSON Web Token, wherever it stands
            Pattern.compile("()(?<!\\w)eyJ[\\w-]{10,}(?:\\.[\\w-]*)*"));

    private static final int DEEPEST = 20;

    private Redaction() {}

    /** Returns the text of an error and of its root, without secrets. */
    public static String text(Throwable error) {
        return text(error, RequestSecrets.NONE);
    }

    /**
     * Returns the text of an error and of its root, without secrets.
     *
     * @param known the secrets of the request that ended so
     */
    public static String text(Throwable error, RequestSecrets known) {
        Throwable root = error;
        for (int depth = 0; root.getCause() != null && depth < DEEPEST; depth++) {
            root = root.getCause();
        }
        String own = named(error);
        String message = root.getMessage();
        return of(known.maskedIn(message == null || own.contains(message) ? own : own + "; " + named(root)));
    }

    private static String named(Throwable error) {
        Class<?> type = error.getClass();
        while (error instanceof IOException && type.getName().startsWith("io.netty.")) {
            type = type.getSuperclass();
        }
        String text = error.toString();
        return type == error.getClass() || !text.startsWith(error.getClass().getName())
                ? text
                : type.getName() + text.substring(error.getClass().getName().length());
    }

    public static String of(String text) {
        // What is cut off shows nothing, and what is left of a secret still looks like one.
        String clean =
                text.length() > ResponseBounds.ERROR_TEXT ? text.substring(0, ResponseBounds.ERROR_TEXT) + "…" : text;
        for (Pattern secret : SECRETS) {
            Matcher matcher = secret.matcher(clean);
            if (matcher.find()) {
                clean = matcher.replaceAll(found -> Matcher.quoteReplacement(found.group(1) + GONE));
            }
        }
        return clean;
    }

    /** Cleans an error of the Azure SDK, whose callers read its type and its response. */
    public static HttpResponseException of(HttpResponseException error) {
        HttpResponse response = error.getResponse();
        Throwable clean = of(error, RequestSecrets.of(response == null ? null : response.getRequest()));
        return clean == error ? error : new HttpResponseException(clean.getMessage(), error.getResponse(), clean);
    }

    /** Cleans the refusal that a client of the Azure SDK quotes in its error; a success stays unchanged. */
    public static HttpResponse of(HttpResponse response) {
        if (ResponseBounds.success(response.getStatusCode()) || !(response instanceof BufferedResponse)) {
            return response;
        }
        String text = new String(BufferedResponse.bytes(response), StandardCharsets.UTF_8);
        String clean = of(RequestSecrets.of(response.getRequest()).maskedIn(text));
        if (clean.equals(text)) {
            return response;
        }
        byte[] body = clean.getBytes(StandardCharsets.UTF_8);
        HttpHeaders headers = new HttpHeaders(response.getHeaders())
                .set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length));
        return new BufferedResponse(response.getRequest(), response.getStatusCode(), headers, body);
    }

    /** Returns the error itself if no part of it or of its causes shows a secret; otherwise a stand-in. */
    public static Throwable of(Throwable error) {
        return of(error, RequestSecrets.NONE);
    }

    /**
     * Returns the error itself if no part of it or of its causes shows a secret; otherwise a stand-in.
     *
     * @param known the secrets of the request that ended so
     */
    public static Throwable of(Throwable error, RequestSecrets known) {
        return RedactedException.isNeededFor(error, known) ? RedactedException.of(error, known) : error;
    }

    /** A stand-in for an exception whose text, or that of one behind it, shows a secret: its type, text and places without the secret. */
    public static final class RedactedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private RedactedException(String shown, @Nullable Throwable cause) {
            super(shown, cause);
        }

        static boolean isNeededFor(Throwable error, RequestSecrets known) {
            return isNeededFor(error, known, Collections.newSetFromMap(new IdentityHashMap<>()));
        }

        private static boolean isNeededFor(@Nullable Throwable error, RequestSecrets known, Set<Throwable> seen) {
            if (error == null || !seen.add(error)) {
                return false;
            }
            String text = error.toString();
            if (!Redaction.of(known.maskedIn(text)).equals(text) || isNeededFor(error.getCause(), known, seen)) {
                return true;
            }
            for (Throwable suppressed : error.getSuppressed()) {
                if (isNeededFor(suppressed, known, seen)) {
                    return true;
                }
            }
            return false;
        }

        static RedactedException of(Throwable error, RequestSecrets known) {
            return of(error, known, Collections.newSetFromMap(new IdentityHashMap<>()));
        }

        private static RedactedException of(Throwable error, RequestSecrets known, Set<Throwable> seen) {
            seen.add(error);
            Throwable cause = error.getCause();
            RedactedException stand = new RedactedException(
                    Redaction.of(known.maskedIn(error.toString())),
                    cause == null || seen.contains(cause) ? null : of(cause, known, seen));
            stand.setStackTrace(error.getStackTrace());
            for (Throwable suppressed : error.getSuppressed()) {
                if (!seen.contains(suppressed)) {
                    stand.addSuppressed(of(suppressed, known, seen));
                }
            }
            return stand;
        }
    }
}
