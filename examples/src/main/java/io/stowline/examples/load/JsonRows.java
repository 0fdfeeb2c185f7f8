package io.stowline.examples.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of JSON: one object in each line, where empty lines are passed over, or one array of objects, read as a stream. */
abstract class JsonRows extends RowSource {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private static final ObjectReader WHOLE = JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Closeable text;

    private JsonRows(InputFile input, InputMeter meter, Closeable text) {
        super(input, meter, List.of());
        this.text = text;
    }

    static JsonRows ofLines(InputFile input, InputMeter meter, BufferedReader text) {
        return new JsonRows(input, meter, text) {
            private long line;

            @Override
            @Nullable
            InputRow read(long next) throws IOException {
                String read;
                do {
                    read = text.readLine();
                    line++;
                } while (read != null && read.isBlank());
                return read == null ? null : row(next, line, read);
            }
        };
    }

    static JsonRows ofArray(InputFile input, InputMeter meter, BufferedReader text) throws IOException {
        JsonParser json = JSON.createParser(text);
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw new IOException("not a JSON array; --format jsonl is for one object in each line");
        }
        return new JsonRows(input, meter, json) {
            @Override
            @Nullable
            InputRow read(long next) throws IOException {
                if (json.nextToken() == JsonToken.END_ARRAY) {
                    return null;
                }
                JsonNode row = json.readValueAsTree();
                return row(next, next, row, row.toString());
            }
        };
    }

    private static InputRow row(long number, long line, String text) {
        try {
            return row(number, line, WHOLE.readTree(text), text);
        } catch (IOException e) {
            return new InputRow(number, line, Map.of(), text, InputFile.firstLine(e));
        }
    }

    private static InputRow row(long number, long line, JsonNode row, String text) {
        return new InputRow(number, line, values(row), text, row.isObject() ? null : "not a JSON object");
    }

    /** Returns the fields; arrays and objects inside are their JSON as text, and nulls are left out. */
    private static Map<String, Object> values(JsonNode row) {
        Map<String, Object> values = new LinkedHashMap<>();
        row.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isTextual()) {
                values.put(field.getKey(), value.textValue());
            } else if (value.isNumber()) {
                values.put(field.getKey(), value.decimalValue());
            } else if (value.isBoolean()) {
                values.put(field.getKey(), value.booleanValue());
            } else if (!value.isNull()) {
                values.put(field.getKey(), value.toString());
            }
        });
        return values;
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
