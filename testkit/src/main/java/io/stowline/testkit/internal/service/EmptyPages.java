package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stage that sends an empty page with a continuation before each page of a query of entities, as the service does at the border of
 * a partition: page "Query timeout and pagination".
 *
 * <p>The continuation is made here, and leads back to the place of the empty page in the query. Its row key is in turn
 * present, empty, and absent: by the page it may be {@code null}.
 */
public final class EmptyPages implements Stage {

    private static final String HEADER = "x-ms-continuation-";

    private final int every;
    private final AtomicLong pages = new AtomicLong();
    private final AtomicLong emptyPages = new AtomicLong();

    /**
     * Makes the stage.
     *
     * @param every which page is preceded by an empty one: 1 for each, 2 for each second
     */
    public EmptyPages(int every) {
        this.every = every;
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        if (!Queries.isQuery(request)) {
            return next.response(request);
        }
        Optional<ContinuationToken> behindEmptyPage = ContinuationToken.behindEmptyPage(request);
        if (behindEmptyPage.isPresent()) {
            return next.response(behindEmptyPage.get().applyTo(request));
        }
        StubResponse response = next.response(request);
        boolean due = response.status() == 200 && pages.incrementAndGet() % every == 0;
        return due ? emptyPage(response, ContinuationToken.of(request)) : response;
    }

    private StubResponse emptyPage(StubResponse page, ContinuationToken place) {
        StubResponse empty = page.withoutHeader(HEADER + "NextPartitionKey")
                .withoutHeader(HEADER + "NextRowKey")
                .body(EmptyPage.body(page.body()))
                .header(HEADER + "NextPartitionKey", place.token());
        return switch ((int) (emptyPages.getAndIncrement() % 3)) {
            case 0 -> empty.header(HEADER + "NextRowKey", "1!0!empty-page");
            case 1 -> empty.header(HEADER + "NextRowKey", "");
            default -> empty;
        };
    }
}
