package io.stowline.table.internal.write;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.PageTrail;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A listing of the tables of an account. */
public final class TableListing {

    private final TableRequests requests;
    private final StoragePipeline pipeline;
    private final RetrySettings retry;

    public TableListing(TableRequests requests, StoragePipeline pipeline, RetrySettings retry) {
        this.requests = requests;
        this.pipeline = pipeline;
        this.retry = retry;
    }

    /**
     * Returns all names, over as many pages as the service makes of them.
     *
     * @return the names in the service's order
     */
    public Mono<List<String>> names() {
        return Mono.defer(() -> page(PageTrail.start(pipeline.timer())))
                .expand(page -> page.next() == null
                        ? Mono.empty()
                        : page(page.trail().onwards(page.next(), page.names().isEmpty())))
                .collect(ArrayList::new, (all, page) -> all.addAll(page.names()));
    }

    private Mono<Names> page(PageTrail<Continuation> trail) {
        QueryString query = new QueryString();
        Continuation from = trail.from();
        if (from != null) {
            from.addTo(query);
        }
        Request requested = requests.listTables(query.toString());
        Mono<Names> page = Mono.defer(() -> pipeline.send(
                        Exchange.of(requests.listTables(query.toString()), retry, response -> read(trail, response))))
                .doOnNext(names -> Continuation.refuseEndless(
                        trail, names.response(), names.names().isEmpty(), requested.name(), requested.resource()));
        return pipeline.observer().operation(requested.name(), requested::resource, page);
    }

    public static ParseResult<Names> read(PageTrail<Continuation> trail, StorageResponse response) {
        List<String> names = new ArrayList<>();
        boolean list = false;
        try (JsonReader json = JsonProviders.createReader(response.body())) {
            for (JsonToken token = json.nextToken();
                    token != JsonToken.END_DOCUMENT && token != null;
                    token = json.nextToken()) {
                if (token != JsonToken.FIELD_NAME) {
                    continue;
                }
                String name = json.getFieldName();
                if (name.equals("value")) {
                    list |= json.nextToken() == JsonToken.START_ARRAY;
                } else if (name.equals("TableName")) {
                    json.nextToken();
                    names.add(json.getString());
                }
            }
            if (!list) {
                return new ParseResult.Unreadable<>(
                        "the list of tables is not there: the response has no array 'value'");
            }
            return new ParseResult.Value<>(new Names(names, trail, Continuation.of(response), response));
        } catch (IOException | IllegalStateException e) {
            return new ParseResult.Unreadable<>("the list of tables is not JSON: " + e.getMessage());
        }
    }

    public record Names(
            List<String> names,
            PageTrail<Continuation> trail,
            @Nullable Continuation next,
            StorageResponse response) {}
}
