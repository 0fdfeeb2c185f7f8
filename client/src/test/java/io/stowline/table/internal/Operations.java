package io.stowline.table.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.Marking;
import io.stowline.projection.EdmType;
import io.stowline.projection.Filter;
import io.stowline.projection.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.transport.internal.Bench;
import io.stowline.transport.internal.StorageAccount.Service;
import io.stowline.transport.internal.StoragePipeline;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations for tests, of the simplest entity there is: two keys and one text. */
final class Operations {

    static final String ROOT = "https://acct.table.core.windows.net";

    private static final FieldPrefix TEXT = FieldPrefix.of("Text", EdmType.STRING);

    private Operations() {}

    record Note(String partitionKey, String rowKey, String text) {}

    static final EntityCodec<Note> CODEC = new EntityCodec<>() {
        @Override
        public String partitionKey(Note value) {
            return value.partitionKey();
        }

        @Override
        public String rowKey(Note value) {
            return value.rowKey();
        }

        @Override
        public void writeProperties(Note value, EntityOut out) {
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

    static OperationEncoder encoder() {
        return new OperationEncoder("notes", ROOT + "/notes");
    }

    static EncodedOperation operation(Verb verb, String partitionKey, String rowKey, String text) {
        return operation(verb, partitionKey, rowKey, text, verb.conditional() ? "W/\"1\"" : null);
    }

    static EncodedOperation operation(Verb verb, String partitionKey, String rowKey, String text, String ifMatch) {
        return verb == Verb.DELETE
                ? encoder().delete(partitionKey, rowKey, ifMatch)
                : encoder().encode(verb, new Note(partitionKey, rowKey, text), CODEC, ifMatch);
    }

    /** What an operation adds to a batch. */
    static String part(EncodedOperation operation) {
        byte[] part = new byte[operation.partSize()];
        assertThat(operation.writePart(part, 0)).isEqualTo(part.length);
        return new String(part, StandardCharsets.UTF_8);
    }

    static EncodedOperation insert(String rowKey) {
        return operation(Verb.INSERT, "p", rowKey, "text");
    }

    static TableRequests requests() {
        return new TableRequests(() -> URI.create(ROOT));
    }

    static TableClient client(StoragePipeline pipeline) {
        return client("notes", pipeline);
    }

    static TableClient client(String table, StoragePipeline pipeline) {
        return new TableClient(
                table,
                requests(),
                pipeline,
                new TableSettings(
                        RetrySettings.defaults(),
                        Marking.DECISIVE,
                        Bench.reads(Service.TABLE, pipeline),
                        ScanGuard.of(ScanPolicy.ALLOW)));
    }

    /** Keeps the keys and the text, and forgets all else. */
    private static final class NoteReader extends RowReader<Note> {

        private String partitionKey = "";
        private String rowKey = "";
        private String text = "";

        NoteReader() {
            super(new FieldTable(name -> 0, name -> 0));
        }

        @Override
        void partitionKey(String key) {
            partitionKey = key;
        }

        @Override
        void rowKey(String key) {
            rowKey = key;
        }

        @Override
        void typed(Field field, String type) {
            String property = field.property();
            text += "(" + property + " " + type + ")";
        }

        @Override
        void property(Field field, JsonCursor.Kind kind, JsonCursor json) throws IOException {
            if (field.property().equals("Text")) {
                text += json.string();
            } else {
                json.skip();
            }
        }

        @Override
        Note build(@Nullable String etag, @Nullable Instant rowTimestamp) {
            Note note = new Note(partitionKey, rowKey, text);
            text = "";
            return note;
        }
    }
}
