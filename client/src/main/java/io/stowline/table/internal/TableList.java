package io.stowline.table.internal;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Reading;
import io.stowline.transport.internal.Request;
import io.stowline.transport.internal.StoragePipeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Lists the tables of an account. */
public final class TableList {

    private final TableRequests requests;
    private final StoragePipeline pipeline;
    private final RetrySettings retry;

    TableList(TableRequests requests, StoragePipeline pipeline, RetrySettings retry) {
        this.requests = requests;
        this.pipeline = pipeline;
        this.retry = retry;
    }

    /**
     * All names, over as many pages as the service makes of them.
     *
     * @return the names in the service's order
     */
    public Mono<List<String>> names() {
        return Mono.defer(() -> page(null))
                .expand(page -> page.next() == null ? Mono.empty() : page(page.next()))
                .collect(ArrayList::new, (all, page) -> all.addAll(page.names()));
    }

    private Mono<Names> page(@Nullable Continuation from) {
        QueryString query = new QueryString();
        if (from != null) {
            from.addTo(query);
        }
        Request asked = requests.listTables(query.toString());
        Mono<Names> page = Mono.defer(() ->
                pipeline.send(Call.of(requests.listTables(query.toString()), retry, answer -> going(from, answer))));
        return pipeline.observing().operation(asked.operation(), asked::resource, page);
    }

    private static Reading<Names> going(@Nullable Continuation from, Answer answer) {
        String unchanged = Continuation.unchanged(from, answer);
        return unchanged == null ? read(answer) : new Reading.Unreadable<>(unchanged);
    }

    static Reading<Names> read(Answer answer) {
        List<String> names = new ArrayList<>();
        try (JsonReader json = JsonProviders.createReader(answer.body())) {
            for (JsonToken token = json.nextToken();
                    token != JsonToken.END_DOCUMENT && token != null;
                    token = json.nextToken()) {
                if (token == JsonToken.FIELD_NAME && json.getFieldName().equals("TableName")) {
                    json.nextToken();
                    names.add(json.getString());
                }
            }
            return new Reading.Value<>(new Names(names, Continuation.of(answer)));
        } catch (IOException | IllegalStateException e) {
            return new Reading.Unreadable<>("the list of tables is not JSON: " + e.getMessage());
        }
    }

    record Names(List<String> names, @Nullable Continuation next) {}
}
