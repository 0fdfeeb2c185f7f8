package io.stowline.examples.bulkload;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a file that is one JSON array of objects, read as a stream. */
final class JsonArrayRows implements RowSource {

    private final JsonReader json;
    private final InputMeter meter;
    private long number;
    private boolean ended;

    private JsonArrayRows(JsonReader json, InputMeter meter) {
        this.json = json;
        this.meter = meter;
    }

    static JsonArrayRows open(Reader text, InputMeter meter) throws IOException {
        JsonReader json = JsonProviders.createReader(text);
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw new IOException("not a JSON array; --format jsonl is for one object in each line");
        }
        return new JsonArrayRows(json, meter);
    }

    @Override
    public @Nullable InputRow next() throws IOException {
        if (ended) {
            return null;
        }
        meter.rowBegins();
        try {
            JsonToken token = json.nextToken();
            ended = token == JsonToken.END_ARRAY;
            if (token == null || token == JsonToken.END_DOCUMENT) {
                throw new IOException("the array does not end");
            }
            return ended ? null : row();
        } catch (IOException e) {
            String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IOException("after row " + number + ": " + first, e);
        }
    }

    private InputRow row() throws IOException {
        String text = json.isStartArrayOrObject() ? json.readChildren() : json.getText();
        number++;
        return JsonLines.row(number, number, text);
    }

    @Override
    public List<String> columns() {
        return List.of();
    }

    @Override
    public boolean typed() {
        return true;
    }

    @Override
    public long bytesRead() {
        return meter.bytesRead();
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
