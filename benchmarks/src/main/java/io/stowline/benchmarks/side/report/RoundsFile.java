package io.stowline.benchmarks.side.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Every round as JSON, for readers that compute something else. */
public final class RoundsFile {

    private RoundsFile() {}

    public static String of(List<ContenderResult> outcomes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            for (ContenderResult outcome : outcomes) {
                json.writeObjectFieldStart(outcome.scenario().id());
                for (Map.Entry<Contender, Series> series : outcome.series().entrySet()) {
                    rounds(
                            json,
                            series.getKey() == Contender.PEER
                                    ? outcome.peer()
                                    : series.getKey().title(),
                            series.getValue());
                }
                json.writeEndObject();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text + "\n";
    }

    private static void rounds(JsonGenerator json, String name, Series series) throws IOException {
        json.writeArrayFieldStart(name);
        for (Figures figures : series.rounds()) {
            json.writeStartObject();
            json.writeNumberField("perSecond", figures.perSecond());
            json.writeNumberField("cpuMicros", figures.cpuMicros());
            json.writeNumberField("bytes", figures.bytes());
            if (!Double.isNaN(figures.medianMicros())) {
                json.writeNumberField("medianMicros", figures.medianMicros());
            }
            if (!Double.isNaN(figures.requests())) {
                json.writeNumberField("requests", figures.requests());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
