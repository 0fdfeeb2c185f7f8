package io.stowline.testkit.internal.service;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A maker of an empty page from a page of entities, whose description stays. */
final class EmptyPage {

    private static final JsonFactory JSON = new JsonFactory();

    private EmptyPage() {}

    static byte[] body(byte[] page) {
        ByteArrayOutputStream empty = new ByteArrayOutputStream();
        try (JsonParser in = JSON.createParser(page);
                JsonGenerator out = JSON.createGenerator(empty)) {
            copy(in, out);
        } catch (IOException e) {
            throw new UncheckedIOException("the service answered a query with something else than JSON", e);
        }
        return empty.toByteArray();
    }

    private static void copy(JsonParser in, JsonGenerator out) throws IOException {
        in.nextToken();
        out.writeStartObject();
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            out.writeFieldName(name);
            if (in.nextToken() == JsonToken.START_ARRAY) {
                in.skipChildren();
                out.writeStartArray();
                out.writeEndArray();
            } else {
                out.copyCurrentStructure(in);
            }
        }
        out.writeEndObject();
    }
}
