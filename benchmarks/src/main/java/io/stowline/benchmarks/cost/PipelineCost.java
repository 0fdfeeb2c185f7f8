package io.stowline.benchmarks.cost;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import io.stowline.Stowline;
import io.stowline.benchmarks.cost.Meter.Cost;
import io.stowline.retry.ParallelismSettings;
import io.stowline.table.ReactiveTable;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * What a point read and an upsert cost through the whole pipeline, with everything on that is on by default, beside the Azure SDK's
 * client: rounds in alternation in one process, against a server in another. Prints medians and ratios.
 */
public final class PipelineCost {

    private static final String ACCOUNT = "acct";
    private static final String KEY =
            Base64.getEncoder().encodeToString("a key that opens nothing".getBytes(StandardCharsets.UTF_8));
    private static final int IN_FLIGHT = 32;
    private static final Duration ROUND = Duration.ofMillis(2_500);

    private final Map<String, List<Cost>> costs = new LinkedHashMap<>();

    private PipelineCost() {}

    /**
     * Measures.
     *
     * @param args the number of rounds, 5 unless given
     * @throws Exception if the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
        Process server = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StubTable.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.US_ASCII))) {
            String endpoint = "http://127.0.0.1:" + said.readLine() + "/" + ACCOUNT;
            new PipelineCost().measure(endpoint, rounds);
        } finally {
            server.destroy();
        }
    }

    private void measure(String endpoint, int rounds) {
        AzureNamedKeyCredential credential = new AzureNamedKeyCredential(ACCOUNT, KEY);
        TableAsyncClient sdk = new TableServiceClientBuilder()
                .endpoint(endpoint)
                .credential(credential)
                .buildAsyncClient()
                .getTableClient("rows");
        try (Stowline storage = Stowline.builder()
                .tableEndpoint(endpoint)
                .accountName(ACCOUNT)
                .credential(credential)
                .parallelism(ParallelismSettings.fixed(IN_FLIGHT))
                .build()) {
            ReactiveTable<Row> table = storage.table("rows", Row.class).reactive();
            Row row = Row.one();
            Map<String, Supplier<Publisher<?>>> work = new LinkedHashMap<>();
            work.put("point read, SDK", () -> sdk.getEntity("p", "r"));
            work.put("point read, Stowline", () -> table.find("p", "r"));
            work.put("upsert, SDK", () -> sdk.upsertEntityWithResponse(entity(), TableEntityUpdateMode.REPLACE));
            work.put("upsert, Stowline", () -> table.insertOrReplace(row));
            for (int round = -1; round < rounds; round++) {
                boolean warm = round >= 0;
                work.forEach((name, one) -> round(name, one, warm));
            }
        }
        print("point read");
        print("upsert");
    }

    private static TableEntity entity() {
        TableEntity entity = new TableEntity("p", "r");
        String text = "x".repeat(80);
        for (int i = 0; i < 10; i++) {
            entity.addProperty("text" + i, text);
        }
        return entity;
    }

    private void round(String name, Supplier<Publisher<?>> one, boolean counts) {
        long end = System.nanoTime() + ROUND.toNanos();
        Meter meter = new Meter();
        Long done = Flux.<Integer>generate(next -> {
                    if (System.nanoTime() < end) {
                        next.next(1);
                    } else {
                        next.complete();
                    }
                })
                .flatMap(i -> Flux.from(one.get()).then().thenReturn(1), IN_FLIGHT)
                .count()
                .block();
        if (counts && done != null) {
            costs.computeIfAbsent(name, key -> new ArrayList<>()).add(meter.over(done));
        }
    }

    private void print(String workload) {
        String sdk = workload + ", SDK";
        String own = workload + ", Stowline";
        System.out.printf(
                "| %s | %.1f µs | %.1f µs | %.2f | %.1f KB | %.1f KB | %.2f | %.0f/s | %.0f/s | %.2f |%n",
                workload,
                median(sdk, Cost::micros),
                median(own, Cost::micros),
                median(own, Cost::micros) / median(sdk, Cost::micros),
                median(sdk, Cost::kilobytes),
                median(own, Cost::kilobytes),
                median(own, Cost::kilobytes) / median(sdk, Cost::kilobytes),
                median(sdk, Cost::perSecond),
                median(own, Cost::perSecond),
                median(own, Cost::perSecond) / median(sdk, Cost::perSecond));
    }

    private double median(String name, ToDoubleFunction<Cost> of) {
        List<Cost> sorted = new ArrayList<>(costs.getOrDefault(name, List.of()));
        sorted.sort(Comparator.comparingDouble(of));
        return of.applyAsDouble(sorted.get(sorted.size() / 2));
    }
}
