package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.FieldReader;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import io.stowline.table.internal.query.QueryDeadline;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TableOperations.TableSettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.ViewSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** Operations for tests, of the simplest entity there is: two keys and one text. */
public final class Operations {

    public static final String ROOT = "https://acct.table.core.windows.net";

    private static final JsonFieldPrefix TEXT = JsonFieldPrefix.of("Text", EdmType.STRING);

    private Operations() {}

    public record Note(String partitionKey, String rowKey, String text) {}

    public static final EntityCodec<Note> CODEC = new EntityCodec<>() {
        @Override
        public String partitionKey(Note value) {
            return value.partitionKey();
        }

        @Override
        public String rowKey(Note value) {
            return value.rowKey();
        }

        @Override
        public void writeProperties(Note value, EntityJsonWriter out) {
            out.string(TEXT, value.text());
        }

        @Override
        public @Nullable List<String> select() {
            return null;
        }

        @Override
        public MetadataLevel metadataLevel() {
            return MetadataLevel.NONE;
        }

        @Override
        public FilterProperty property(String name) {
            return Filter.property(name);
        }

        @Override
        public RowReader<Note> reader() {
            return new NoteReader();
        }
    };

    public static OperationEncoder encoder() {
        return new OperationEncoder("notes", ROOT + "/notes");
    }

    public static EncodedOperation operation(EntityVerb verb, String partitionKey, String rowKey, String text) {
        return operation(verb, partitionKey, rowKey, text, verb.conditional() ? "W/\"1\"" : null);
    }

    public static EncodedOperation operation(
            EntityVerb verb, String partitionKey, String rowKey, String text, String ifMatch) {
        return verb == EntityVerb.DELETE
                ? encoder().delete(partitionKey, rowKey, ifMatch)
                : encoder().encode(verb, new Note(partitionKey, rowKey, text), CODEC, ifMatch);
    }

    /** Returns the bytes that an operation adds to a batch. */
    public static String part(EncodedOperation operation) {
        byte[] part = new byte[operation.partSize()];
        assertThat(operation.writePart(part, 0)).isEqualTo(part.length);
        return new String(part, StandardCharsets.UTF_8);
    }

    public static EncodedOperation insert(String rowKey) {
        return operation(EntityVerb.INSERT, "p", rowKey, "text");
    }

    public static TableRequests requests() {
        return new TableRequests(() -> URI.create(ROOT));
    }

    public static TableOperations client(StoragePipeline pipeline) {
        return client("notes", pipeline);
    }

    public static TableOperations client(String table, StoragePipeline pipeline) {
        return new TableOperations(
                table,
                requests(),
                pipeline,
                new TableSettings(
                        ViewSettings.of(RetrySettings.defaults(), Bench.reads(Service.TABLE, pipeline)),
                        WriteMarkers.DECISIVE,
                        ScanGuard.of(ScanPolicy.ALLOW),
                        null));
    }

    /** The time of a query without a deadline. */
    public static QueryDeadline endless() {
        return new QueryDeadline("notes", null, Schedulers.immediate());
    }

    /** Keeps the keys and the text, and forgets all else. */
    private static final class NoteReader extends FieldReader<Note> {

        private String partitionKey = "";
        private String rowKey = "";
        private String text = "";

        NoteReader() {
            super(new JsonFieldTable(name -> 0, name -> 0));
        }

        @Override
        public void partitionKey(String key) {
            partitionKey = key;
        }

        @Override
        public void rowKey(String key) {
            rowKey = key;
        }

        @Override
        public void typed(JsonField field, String type) {
            String property = field.property();
            text += "(" + property + " " + type + ")";
        }

        @Override
        public void property(JsonField field, JsonCursor.JsonShape kind, JsonCursor json) throws IOException {
            if (field.property().equals("Text")) {
                text += json.string();
            } else {
                json.skip();
            }
        }

        @Override
        public Note build(@Nullable String etag, @Nullable Instant rowTimestamp) {
            Note note = new Note(partitionKey, rowKey, text);
            text = "";
            return note;
        }
    }
}
