package io.stowline.transport.internal.request;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statuses that the service documents for the success of an operation. Any other one comes from something else,
 * such as a gateway's page: the outcome of the operation is open then (OUTCOME-0). Immutable.
 */
public final class DocumentedStatus {

    private final int[] statuses;
    private final @Nullable String element;

    private DocumentedStatus(int[] statuses, @Nullable String element) {
        this.statuses = statuses.clone();
        Arrays.sort(this.statuses);
        this.element = element;
    }

    /**
     * Returns these statuses.
     *
     * @param statuses one or more, each a 2xx
     */
    public static DocumentedStatus status(int... statuses) {
        return new DocumentedStatus(statuses, null);
    }

    /**
     * Returns the status 200 with a list in XML, of a read.
     *
     * @param element the element that is there even in an empty list, without which an SDK client takes any response for one
     * @return the success of a listing
     */
    public static DocumentedStatus list(String element) {
        return new DocumentedStatus(new int[] {200}, element);
    }

    /** Returns the fault of a response to an SDK client, or {@code null}. */
    public @Nullable String against(HttpResponse response) {
        String wrong = against(response.getStatusCode());
        boolean listed =
                element == null || !(response instanceof BufferedResponse whole) || whole.contains("<" + element);
        return wrong == null && !listed ? "the response has no list, the element " + element : wrong;
    }

    /**
     * Returns the fault of a status.
     *
     * @return the fault, or {@code null} if it is one of these
     */
    public @Nullable String against(int status) {
        for (int documented : statuses) {
            if (documented == status) {
                return null;
            }
        }
        return "a response with the status " + status + ", where the service documents " + Arrays.toString(statuses);
    }

    /**
     * Reads a response unchanged.
     *
     * @return the response, unless its status is another one
     */
    public ParseResult<StorageResponse> read(StorageResponse response) {
        String wrong = against(response.status());
        return wrong == null ? new ParseResult.Value<>(response) : new ParseResult.Unreadable<>(wrong);
    }

    /**
     * Returns a parser of responses with one of these statuses.
     *
     * @param meaning reads a response
     * @param fault makes the finding of what {@code meaning} throws
     */
    public <A> ResponseParser<A> parser(
            ResponseMeaning<A> meaning, Function<Exception, ParseResult.Unreadable<A>> fault) {
        return response -> {
            String wrong = against(response.status());
            if (wrong != null) {
                return new ParseResult.Unreadable<>(wrong);
            }
            try {
                return new ParseResult.Value<>(meaning.of(response));
            } catch (Exception e) {
                return fault.apply(e);
            }
        };
    }
}
