package io.stowline.benchmarks.side.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Every round of every workload as JSON: what a measured process hands to the report, and what other readers compute from. */
public final class RoundsFile {

    private static final String JVM = "jvm";
    private static final String WARM_UP = "warmUp";
    private static final String WARM_UP_ROUNDS = "rounds";
    private static final String COMPILER_SHARE = "compilerShare";
    private static final String QUIET = "quiet";
    private static final String WIRE_BYTES = "bytesOnTheWire";
    private static final String RATE = "perSecond";
    private static final String CPU = "cpuMicros";
    private static final String BYTES = "bytes";
    private static final String MEDIAN = "medianMicros";
    private static final String REQUESTS = "requests";
    private static final String PEAK = "peakBytes";

    private RoundsFile() {}

    /** Returns the text of the file. */
    public static String of(List<WorkloadRun> runs) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            for (WorkloadRun run : runs) {
                json.writeObjectFieldStart(run.result().scenario().id());
                write(json, run);
                json.writeEndObject();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text + "\n";
    }

    /**
     * Returns the runs that a text of {@link #of} contains.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static List<WorkloadRun> read(String text) {
        List<WorkloadRun> runs = new ArrayList<>();
        try {
            for (Map.Entry<String, JsonNode> workload :
                    new ObjectMapper().readTree(text).properties()) {
                runs.add(run(Scenario.named(workload.getKey()), workload.getValue()));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
        return runs;
    }

    private static void write(JsonGenerator json, WorkloadRun run) throws IOException {
        json.writeStringField(JVM, run.jvm());
        json.writeObjectFieldStart(WARM_UP);
        json.writeNumberField(WARM_UP_ROUNDS, run.warmUp().rounds());
        json.writeNumberField(COMPILER_SHARE, run.warmUp().compilerShare());
        json.writeBooleanField(QUIET, run.warmUp().isQuiet());
        json.writeEndObject();
        json.writeNumberField(COMPILER_SHARE, run.compilerShare());
        if (!run.wireBytes().isEmpty()) {
            json.writeObjectFieldStart(WIRE_BYTES);
            for (Map.Entry<Contender, Double> bytes : run.wireBytes().entrySet()) {
                json.writeNumberField(name(run.result(), bytes.getKey()), bytes.getValue());
            }
            json.writeEndObject();
        }
        for (Map.Entry<Contender, Series> series : run.result().series().entrySet()) {
            json.writeArrayFieldStart(name(run.result(), series.getKey()));
            for (Figures figures : series.getValue().rounds()) {
                write(json, figures);
            }
            json.writeEndArray();
        }
    }

    private static void write(JsonGenerator json, Figures figures) throws IOException {
        json.writeStartObject();
        json.writeNumberField(RATE, figures.perSecond());
        json.writeNumberField(CPU, figures.cpuMicros());
        json.writeNumberField(BYTES, figures.bytes());
        if (!Double.isNaN(figures.medianMicros())) {
            json.writeNumberField(MEDIAN, figures.medianMicros());
        }
        if (!Double.isNaN(figures.requests())) {
            json.writeNumberField(REQUESTS, figures.requests());
        }
        if (!Double.isNaN(figures.peakBytes())) {
            json.writeNumberField(PEAK, figures.peakBytes());
        }
        json.writeEndObject();
    }

    private static String name(ContenderResult result, Contender contender) {
        return contender == Contender.PEER ? result.peer() : contender.title();
    }

    private static Contender contender(String name) {
        return Arrays.stream(Contender.values())
                .filter(contender -> contender.title().equals(name))
                .findFirst()
                .orElse(Contender.PEER);
    }

    private static WorkloadRun run(Scenario scenario, JsonNode workload) {
        String peer = "";
        Map<Contender, Series> all = new EnumMap<>(Contender.class);
        for (Map.Entry<String, JsonNode> field : workload.properties()) {
            if (field.getValue().isArray()) {
                Contender contender = contender(field.getKey());
                peer = contender == Contender.PEER ? field.getKey() : peer;
                all.put(contender, series(field.getValue()));
            }
        }
        Map<Contender, Double> wireBytes = new EnumMap<>(Contender.class);
        for (Map.Entry<String, JsonNode> bytes : workload.path(WIRE_BYTES).properties()) {
            wireBytes.put(contender(bytes.getKey()), bytes.getValue().doubleValue());
        }
        JsonNode warmUp = workload.required(WARM_UP);
        return new WorkloadRun(
                new ContenderResult(scenario, peer, all),
                new WarmUp(
                        warmUp.required(WARM_UP_ROUNDS).intValue(),
                        warmUp.required(COMPILER_SHARE).doubleValue()),
                workload.required(COMPILER_SHARE).doubleValue(),
                wireBytes,
                workload.required(JVM).textValue());
    }

    private static Series series(JsonNode rounds) {
        List<Figures> figures = new ArrayList<>();
        for (JsonNode round : rounds) {
            figures.add(new Figures(
                    round.required(RATE).doubleValue(),
                    round.required(CPU).doubleValue(),
                    round.required(BYTES).doubleValue(),
                    optional(round.path(MEDIAN)),
                    optional(round.path(REQUESTS)),
                    optional(round.path(PEAK))));
        }
        return new Series(figures);
    }

    private static double optional(JsonNode number) {
        return number.isMissingNode() ? Double.NaN : number.doubleValue();
    }
}
