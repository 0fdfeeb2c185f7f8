package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Staff.Department;
import io.stowline.table.Staff.Employee;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Writers of rows of several types: how their operations are grouped on the wire. */
class WriterOfTypesTest {

    private static final int MAX_OPERATIONS = 100;
    private static final int MAX_BYTES = TableService.MAX_BYTES;
    private static final Pattern ROW = Pattern.compile("\"RowKey\":\"([^\"]+)\"");
    private static final Pattern NUMBER = Pattern.compile("\"(?:budget|age|number)\":(\\d+)");
    private static final Index<Employee, Integer> AGE = Index.number("AGE", 9, Employee::age);
    private static final Index<Department, Integer> BUDGET = Index.number("BUDGET", 9, Department::budget);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
    private final Table<Employee> employees = table(Employee.class);
    private final Table<Department> departments = table(Department.class);
    private final Table<Entity> notes = table(Entity.class);
    private final List<SentBatch> sent = new ArrayList<>();

    /** A request: its length, and the row keys of its operations in their order, with the number that each carries. */
    private record SentBatch(int bytes, List<String> rows, List<Integer> numbers, List<Integer> sizes) {}

    private <T> Table<T> table(Class<T> type) {
        return DefaultTable.of(service, "staff", type, Mapping.standard());
    }

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.delay(Duration.ofMillis(20), time).map(tick -> {
            line.begin();
            line.whole();
            String body = request.getBodyAsBinaryData().toString();
            sent.add(parsed(body));
            boolean batch = request.getUrl().getPath().endsWith("$batch");
            HttpHeaders headers = batch
                    ? new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "multipart/mixed; boundary=batchresponse_1")
                    : new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\"");
            String text = batch
                    ? MultipartText.success(sent.get(sent.size() - 1).rows().size())
                    : "";
            return SimulatedConnection.response(
                    request, batch ? 202 : 204, headers, text.getBytes(StandardCharsets.UTF_8));
        });
    }

    private static SentBatch parsed(String body) {
        List<String> rows = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (String part : body.split("--changeset_[0-9a-f-]{36}\r\n")) {
            Matcher row = ROW.matcher(part);
            if (row.find()) {
                rows.add(row.group(1));
                Matcher number = NUMBER.matcher(part);
                numbers.add(number.find() ? Integer.parseInt(number.group(1)) : -1);
                sizes.add(part.getBytes(StandardCharsets.UTF_8).length);
            }
        }
        return new SentBatch(body.getBytes(StandardCharsets.UTF_8).length, rows, numbers, sizes);
    }

    private static WriterSettings.Builder roomy(WriterSettings.Builder settings) {
        return settings.bufferItems(50_000).bufferBytes(1L << 30).linger(Duration.ofMillis(50));
    }

    private static Entity note(String row, int number, int length) {
        Entity.Builder note = Entity.builder("Marketing", row).set("number", number);
        for (int i = 0; i * 30_000 < length; i++) {
            note.set("P" + i, "x".repeat(Math.min(30_000, length - i * 30_000)));
        }
        return note.build();
    }

    /** Rows of three types in random order and of random size. */
    private List<Submission<WriteResult>> write(
            TableWriter<Employee> staff,
            TableWriter<Department> heads,
            TableWriter<Entity> texts,
            int count,
            Random random) {
        sent.clear();
        List<Submission<WriteResult>> all = new ArrayList<>();
        boolean large = random.nextBoolean();
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(3)) {
                case 0 -> all.add(staff.insert(new Employee("Marketing", "E:" + i, "employee " + i, i)));
                case 1 -> all.add(heads.insert(new Department("Marketing", "D:" + i, "head " + i, i)));
                default -> all.add(texts.insert(note("N:" + i, i, random.nextInt(large ? 440_000 : 2_000))));
            }
        }
        return all;
    }

    private void ended(List<Submission<WriteResult>> all) {
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(all).allMatch(Submission::isDone);
        all.forEach(each -> assertThat(each.toFuture()).isCompletedWithValueMatching(done -> done != null));
    }

    private void withinLimits() {
        assertThat(sent).allSatisfy(batch -> {
            assertThat(batch.rows()).hasSizeLessThanOrEqualTo(MAX_OPERATIONS).doesNotHaveDuplicates();
            assertThat(batch.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        });
    }

    @Property(tries = 40)
    @Label("BATCH-2 BATCH-3 T4: transactions of a writer of several types are full, by operations or by bytes")
    void full(@ForAll @IntRange(min = 2, max = 450) int count, @ForAll long seed) {
        TableWriter<Employee> writer = employees.writer(WriterOfTypesTest::roomy);

        ended(write(writer, writer.in(departments), writer.in(notes), count, new Random(seed)));

        withinLimits();
        assertThat(sent.stream().mapToInt(batch -> batch.rows().size()).sum()).isEqualTo(count);
        for (int i = 0; i + 1 < sent.size(); i++) {
            SentBatch batch = sent.get(i);
            boolean noRoom = batch.rows().size() == MAX_OPERATIONS
                    || batch.bytes() + sent.get(i + 1).sizes().get(0) + 100 > MAX_BYTES;
            assertThat(noRoom).as("request %s of %s", i, sent.size()).isTrue();
        }
    }

    @Property(tries = 40)
    @Label("T4: index rows of all types count for the limits, and stand in the transaction of their entity")
    void fullWithIndexRows(@ForAll @IntRange(min = 2, max = 300) int count, @ForAll long seed) {
        TableWriter<Employee> writer = employees.indexed(AGE).writer(WriterOfTypesTest::roomy);

        ended(write(writer, writer.in(departments.indexed(BUDGET)), writer.in(notes), count, new Random(seed)));

        withinLimits();
        int entities = 0;
        for (SentBatch batch : sent) {
            for (String row : batch.rows()) {
                if (row.startsWith("E:") || row.startsWith("D:")) {
                    assertThat(batch.rows()).anyMatch(copy -> copy.endsWith("!" + row));
                }
                entities += row.contains("!") ? 0 : 1;
            }
        }
        assertThat(entities).isEqualTo(count);
        for (int i = 0; i + 1 < sent.size(); i++) {
            SentBatch batch = sent.get(i);
            SentBatch next = sent.get(i + 1);
            boolean pair = next.rows().size() > 1 && next.rows().get(1).contains("!");
            int more = next.sizes().get(0) + (pair ? next.sizes().get(1) : 0);
            boolean noRoom =
                    batch.rows().size() + (pair ? 2 : 1) > MAX_OPERATIONS || batch.bytes() + more + 200 > MAX_BYTES;
            assertThat(noRoom).as("request %s of %s", i, sent.size()).isTrue();
        }
    }

    @Property(tries = 40)
    @Label("BATCH-4 T4: operations on one row keep their order, through whichever view they came")
    void order(@ForAll @IntRange(min = 2, max = 400) int count, @ForAll long seed) {
        sent.clear();
        Random random = new Random(seed);
        TableWriter<Employee> writer = employees.writer(WriterOfTypesTest::roomy);
        TableWriter<Entity> texts = writer.in(notes);
        Map<String, List<Integer>> expected = new HashMap<>();
        List<Submission<WriteResult>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String row = "R:" + random.nextInt(30);
            expected.computeIfAbsent(row, none -> new ArrayList<>()).add(i);
            all.add(
                    random.nextBoolean()
                            ? writer.insertOrReplace(new Employee("Marketing", row, "employee", i))
                            : texts.insertOrMerge(note(row, i, random.nextInt(100))));
        }

        ended(all);

        withinLimits();
        Map<String, List<Integer>> seen = new HashMap<>();
        for (SentBatch batch : sent) {
            for (int i = 0; i < batch.rows().size(); i++) {
                seen.computeIfAbsent(batch.rows().get(i), none -> new ArrayList<>())
                        .add(batch.numbers().get(i));
            }
        }
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    @DisplayName("T4: views share one writer: its figures, its close, and its failing fast")
    void oneWriter() {
        TableWriter<Employee> writer = employees.writer(WriterOfTypesTest::roomy);
        TableWriter<Department> heads = writer.failingFast().in(departments);
        writer.insert(Employee.of("Marketing", 1));
        heads.insert(Department.of("Marketing"));
        assertThat(writer.bufferedItems()).isEqualTo(2).isEqualTo(heads.bufferedItems());

        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(sent).singleElement().satisfies(batch -> assertThat(batch.rows())
                .hasSize(2));
        assertThat(heads.stats()).isEqualTo(writer.stats()).isEqualTo(new TableWriter.Stats(2, 1, 0, 0));
        heads.close();
        assertThatIllegalStateException().isThrownBy(() -> writer.insert(Employee.of("Marketing", 2)));
    }

    @Test
    @DisplayName("T4: a writer refuses holders of another table or client, and index rows that it does not keep")
    void refusals() {
        TableWriter<Employee> plain = employees.writer();
        TableWriter<Employee> indexed = employees.indexed(AGE).writer();
        Index<Department, Integer> same = Index.number("AGE", 3, Department::budget);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.in(DefaultTable.of(service, "other", Entity.class, Mapping.standard())))
                .withMessageContaining("different tables");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.in(DefaultTable.of(service, "other", Entity.class, Mapping.standard())))
                .withMessageContaining("different tables");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.in(departments.indexed(BUDGET)))
                .withMessageContaining("Department")
                .withMessageContaining("IndexedTable");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.in(departments.indexed(same)))
                .withMessageContaining("Employee and Department");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.in(notes).insert(note("AGE:1", 1, 1)))
                .withMessageContaining("index AGE");
        assertThat(sent).isEmpty();
    }
}
