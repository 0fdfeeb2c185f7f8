package io.stowline.system.recordings;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** End of a verb: a value of plain types, or a failure with its facts. */
sealed interface VerbOutcome {

    /** Value that equals another one of the same content. */
    record Value(@Nullable Object value) implements VerbOutcome {}

    /**
     * Failure that the service stated.
     *
     * @param index the operation of a transaction, or -1
     */
    record Failure(
            Class<?> type,
            int status,
            @Nullable String code,
            @Nullable String requestId,
            int index) implements VerbOutcome {

        /** A more special exception is as good. */
        boolean covers(Failure actual) {
            return type.isAssignableFrom(actual.type)
                    && equals(new Failure(type, actual.status, actual.code, actual.requestId, actual.index));
        }
    }

    /** Failure that no verb documents. */
    record Broken(String error) implements VerbOutcome {}

    VerbOutcome NOTHING = new Value(null);

    /** Returns a value; the end of a part of a verb is one already. */
    static VerbOutcome of(@Nullable Object value) {
        return value instanceof VerbOutcome end ? end : new Value(value);
    }

    /**
     * Runs a verb.
     *
     * @param clientRequestIds gets that of a failure
     */
    static VerbOutcome of(Supplier<?> verb, Consumer<String> clientRequestIds) {
        return of(() -> {
            try {
                return verb.get();
            } catch (TransactionFailedException e) {
                clientRequestIds.accept(
                        ((StorageException) e.getCause()).failure().clientRequestId());
                throw e;
            } catch (StorageException e) {
                clientRequestIds.accept(e.failure().clientRequestId());
                throw e;
            }
        });
    }

    private static VerbOutcome of(Supplier<?> verb) {
        try {
            return new Value(verb.get());
        } catch (TransactionFailedException e) {
            return failure((StorageException) e.getCause(), e.index());
        } catch (StorageException e) {
            return failure(e, -1);
        } catch (RuntimeException e) {
            return new Broken(String.valueOf(e));
        }
    }

    /** Returns the facts of a failure that the service stated. */
    static VerbOutcome failure(StorageException e, int index) {
        FailureDetails details = e.failure();
        return new Failure(e.getClass(), details.status(), details.errorCode(), details.requestId(), index);
    }

    default boolean matches(VerbOutcome actual) {
        if (this instanceof Failure expected && actual instanceof Failure met) {
            return expected.covers(met);
        }
        return this instanceof Value one
                        && actual instanceof Value other
                        && one.value instanceof List<?> all
                        && other.value instanceof List<?> found
                ? all.size() == found.size()
                        && IntStream.range(0, all.size())
                                .allMatch(i -> of(all.get(i)).matches(of(found.get(i))))
                : equals(actual);
    }

    /** Reads the failure that a recorded response states, with separate parsers. */
    static VerbOutcome refusal(ServiceRecording recording) {
        return refusal(
                recording.status(),
                recording.response(),
                recording.response().headers().value(CannedResponse.REQUEST_ID),
                -1);
    }

    static VerbOutcome refusal(int status, CannedResponse response, @Nullable String requestId, int index) {
        String code = response.headers().value("x-ms-error-code");
        return new Failure(type(status), status, code == null ? code(response.text()) : code, requestId, index);
    }

    private static @Nullable String code(String body) {
        Matcher found = Codes.XML.matcher(body);
        if (found.find()) {
            return found.group(1);
        }
        found = Codes.JSON.matcher(body);
        return found.find() ? found.group(1) : null;
    }

    private static Class<?> type(int status) {
        return switch (status) {
            case 401, 403 -> AuthenticationException.class;
            case 404 -> NotFoundException.class;
            case 409 -> ConflictException.class;
            case 304, 412 -> PreconditionFailedException.class;
            case 500 -> OutcomeUnknownException.class;
            default -> BadRequestException.class;
        };
    }

    /** Places of the code in the bodies of errors. */
    final class Codes {

        private static final Pattern XML = Pattern.compile("<Code>([^<]*)</Code>");
        private static final Pattern JSON = Pattern.compile("\"code\"\\s*:\\s*\"([^\"]*)\"");

        private Codes() {}
    }
}
