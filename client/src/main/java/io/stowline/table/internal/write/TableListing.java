package io.stowline.table.internal.write;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.client.NameListing.NamePage;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A factory of the {@link NameListing} of tables, whose pages are JSON. */
public final class TableListing {

    private TableListing() {}

    /** Returns the listing of the names. */
    public static NameListing<Continuation> of(TableRequests requests, StoragePipeline pipeline, RetrySettings retry) {
        return new NameListing<>(
                pipeline,
                "listTables",
                "tables",
                from -> Exchange.of(request(requests, from), retry, TableListing::read));
    }

    private static Request request(TableRequests requests, @Nullable Continuation from) {
        QueryString query = new QueryString();
        if (from != null) {
            from.addTo(query);
        }
        return requests.listTables(query.toString());
    }

    public static ParseResult<NamePage<Continuation>> read(StorageResponse response) {
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
            return new ParseResult.Value<>(new NamePage<>(names, Continuation.of(response), response));
        } catch (IOException | IllegalStateException e) {
            return new ParseResult.Unreadable<>("the list of tables is not JSON: " + e.getMessage());
        }
    }
}
