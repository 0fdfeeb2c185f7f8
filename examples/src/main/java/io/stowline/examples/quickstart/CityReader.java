package io.stowline.examples.quickstart;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reads an array of cities from JSON, one at a time: the memory it needs does not depend on the size of the file. */
final class CityReader {

    private final JsonReader json;
    private long number;

    private CityReader(JsonReader json) {
        this.json = json;
    }

    static void read(InputStream source, long limit, Consumer<City> cities) throws IOException {
        try (JsonReader json = JsonProviders.createReader(source)) {
            new CityReader(json).read(limit, cities);
        }
    }

    private void read(long limit, Consumer<City> cities) throws IOException {
        expect(JsonToken.START_ARRAY, json.nextToken());
        while (number < limit && json.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.START_OBJECT, json.currentToken());
            number++;
            cities.accept(city(fields()));
        }
    }

    private Map<String, String> fields() throws IOException {
        Map<String, String> fields = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            expect(JsonToken.FIELD_NAME, json.currentToken());
            String name = json.getFieldName();
            if (json.nextToken() == JsonToken.STRING) {
                fields.put(name, json.getString());
            } else {
                json.skipChildren();
            }
        }
        return fields;
    }

    private City city(Map<String, String> fields) throws IOException {
        try {
            return City.of(
                    field(fields, "country"),
                    field(fields, "name"),
                    field(fields, "lat"),
                    field(fields, "lng"),
                    field(fields, "admin1"),
                    field(fields, "admin2"));
        } catch (NumberFormatException e) {
            throw new IOException("city " + number + ": lat or lng is no number: " + e.getMessage(), e);
        }
    }

    private String field(Map<String, String> fields, String name) throws IOException {
        String value = fields.get(name);
        if (value == null) {
            throw new IOException("city " + number + " has no text \"" + name + "\", only " + fields.keySet());
        }
        return value;
    }

    private void expect(JsonToken expected, JsonToken actual) throws IOException {
        if (actual != expected) {
            throw new IOException("after city " + number + ": " + expected + " expected, not " + actual);
        }
    }
}
