package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Discriminator;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A table whose type is a sealed interface of records, on the wire. */
class SealedTableTest {

    sealed interface StaffRow permits Department, Employee {}

    @RowPrefix("D:")
    record Department(@PartitionKey String name, @RowKey String key, String head, Integer budget) implements StaffRow {}

    @RowPrefix("E:")
    record Employee(@PartitionKey String department, @RowKey String key, String name, Integer age)
            implements StaffRow {}

    record Name(@RowKey String key, String name) {}

    sealed interface Payment permits Card, Transfer {}

    @Discriminator(property = "kind", value = "card")
    record Card(@PartitionKey String customer, @RowKey String id, Integer amount) implements Payment {}

    @Discriminator(property = "kind", value = "transfer")
    record Transfer(@PartitionKey String customer, @RowKey String id, String iban) implements Payment {}

    sealed interface Unkeyed permits Half {}

    @RowPrefix("H:")
    record Half(@RowKey String key) implements Unkeyed {}

    private static final Department MARKETING = new Department("Marketing", "D:info", "Ann", 100);
    private static final Employee BOB = new Employee("Marketing", "E:7", "Bob", 41);
    private static final String ROWS =
            "{\"PartitionKey\":\"Marketing\",\"RowKey\":\"D:info\",\"head\":\"Ann\",\"budget\":100},"
                    + "{\"PartitionKey\":\"Marketing\",\"RowKey\":\"E:7\",\"name\":\"Bob\",\"age\":41}";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
    private final Table<StaffRow> staff = DefaultTable.of(service, "staff", StaffRow.class, Mapping.standard());
    private final Table<Payment> payments = DefaultTable.of(service, "payments", Payment.class, Mapping.standard());
    private final List<String> sent = new ArrayList<>();
    private final List<String> bodies = new ArrayList<>();
    private String rows = ROWS;

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.fromSupplier(() -> {
            line.begin();
            line.whole();
            String query = request.getUrl().getQuery();
            sent.add(query == null ? "" : URLDecoder.decode(query, StandardCharsets.UTF_8));
            String body = request.getBodyAsBinaryData() == null
                    ? ""
                    : request.getBodyAsBinaryData().toString();
            bodies.add(body);
            HttpHeaders json = new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json");
            if (request.getHttpMethod() == HttpMethod.GET) {
                String text =
                        request.getUrl().getPath().contains("(PartitionKey") ? rows : "{\"value\":[" + rows + "]}";
                return SimulatedConnection.response(
                        request, 200, json.set(HttpHeaderName.ETAG, "W/\"1\""), text.getBytes(StandardCharsets.UTF_8));
            }
            boolean batch = request.getUrl().getPath().endsWith("$batch");
            int parts = body.split("\r\nContent-Type: application/http\r\n", -1).length - 1;
            return SimulatedConnection.response(
                    request,
                    batch ? 202 : 204,
                    batch
                            ? new HttpHeaders()
                                    .set(HttpHeaderName.CONTENT_TYPE, "multipart/mixed; boundary=batchresponse_1")
                            : new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\""),
                    batch ? MultipartText.success(parts).getBytes(StandardCharsets.UTF_8) : new byte[0]);
        });
    }

    @Test
    @DisplayName("T4: one read gives the records of a partition, and fetches the union of their properties")
    void oneRead() {
        assertThat(staff.query().partition("Marketing").list()).containsExactly(MARKETING, BOB);
        assertThat(sent)
                .singleElement()
                .asString()
                .contains("$filter=PartitionKey eq 'Marketing'&")
                .contains("$select=PartitionKey,RowKey,head,budget,name,age");
        assertThat(staff.query().partition("Marketing").queryClass()).isEqualTo("partition");
    }

    @Test
    @DisplayName("T4: another table is read as the sealed interface, and a view of one type finds its rows only")
    void views() {
        Table<Entity> any = DefaultTable.of(service, "staff", Entity.class, Mapping.standard());
        assertThat(any.query().partition("Marketing").as(StaffRow.class).list()).containsExactly(MARKETING, BOB);

        rows = ROWS.substring(ROWS.indexOf("{", 1));
        Query<Employee> employees = staff.as(Employee.class).query().partition("Marketing");
        assertThat(employees.list()).containsExactly(BOB);
        assertThat(staff.query().partition("Marketing").as(Employee.class).list())
                .containsExactly(BOB);
        assertThat(employees.as(Employee.class).as(Name.class).list()).containsExactly(new Name("E:7", "Bob"));
        assertThat(employees.queryClass()).isEqualTo("row-range");
        assertThat(sent.subList(1, 4)).allSatisfy(query -> assertThat(query)
                .contains("RowKey ge 'E:'")
                .contains("RowKey lt 'E;'")
                .containsOnlyOnce("RowKey ge"));
        assertThat(payments.as(Card.class)
                        .query()
                        .partition("ann")
                        .where(payments.property("amount").atLeast(5))
                        .queryClass())
                .isEqualTo("partition");
    }

    @Test
    @DisplayName("T4: a row of an unknown type is refused, or passed over by choice")
    void unknownRows() {
        rows = ROWS + ",{\"PartitionKey\":\"Marketing\",\"RowKey\":\"P:1\",\"title\":\"new\"}";
        Query<StaffRow> all = staff.query().partition("Marketing");

        assertThatExceptionOfType(UnreadableEntityException.class)
                .isThrownBy(all::list)
                .withMessageContaining("(Marketing, P:1)")
                .withMessageContaining("StaffRow");
        List<String> passed = new ArrayList<>();
        assertThat(all.skipUnreadable(e -> passed.add(e.rowKey())).list()).containsExactly(MARKETING, BOB);
        assertThat(passed).containsExactly("P:1");
    }

    @Test
    @DisplayName("T4: count and deleteAll leave out rows of unknown types")
    void knownRowsOnly() {
        assertThat(staff.query().partition("Marketing").count()).isEqualTo(2);
        assertThat(sent.get(0))
                .contains("(RowKey ge 'D:' and RowKey lt 'D;' or RowKey ge 'E:' and RowKey lt 'E;')")
                .contains("$select=PartitionKey,RowKey&");
        assertThat(payments.as(Card.class).query().partition("ann").count()).isEqualTo(2);
        assertThat(sent.get(1)).contains("kind eq 'card'");
    }

    @Test
    @DisplayName("T4: point reads, transactions and writers take any of the records")
    void verbs() {
        rows = ROWS.substring(ROWS.indexOf("{", 1));
        assertThat(staff.find("Marketing", "E:7")).get().satisfies(stored -> {
            assertThat(stored.value()).isEqualTo(BOB);
            assertThat(stored.etag()).isEqualTo("W/\"1\"");
        });

        var written = new ArrayList<>();
        var unused = staff.reactive()
                .transaction("Marketing")
                .insert(MARKETING)
                .insertOrReplace(BOB)
                .commit()
                .subscribe(written::addAll);
        TableWriter<StaffRow> writer = staff.writer(settings -> settings.linger(Duration.ofMillis(10)));
        writer.insert(MARKETING);
        writer.insert(BOB);
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(written).hasSize(2);
        assertThat(bodies).hasSize(3);
        assertThat(bodies.subList(1, 3))
                .allSatisfy(
                        body -> assertThat(body).contains("\"head\":\"Ann\"").contains("\"name\":\"Bob\""));
    }

    @Test
    @DisplayName("T4: a partial update knows the type by the key, and an entity that it creates has the mark")
    void partialUpdates() {
        staff.merge("Marketing", "E:7").set("age", 42).update();
        assertThat(bodies.get(0)).contains("\"age\":42");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> staff.merge("Marketing", "D:info").set("age", 42))
                .withMessageContaining("age")
                .withMessageContaining("Department");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> staff.merge("Marketing", "P:1"))
                .withMessageContaining("\"P:1\"")
                .withMessageContaining("\"D:\", \"E:\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> payments.merge("ann", "1").set("amount", 5))
                .withMessageContaining("as(..)");
        payments.as(Card.class).merge("ann", "1").set("amount", 5).insertOrMerge();
        assertThat(bodies.get(1)).contains("\"amount\":5").contains("\"kind\":\"card\"");
    }

    @Test
    @DisplayName("T4: a key of another type is refused before anything is sent")
    void refusals() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> staff.as(Employee.class).delete("Marketing", "D:info"))
                .withMessageContaining("\"D:info\"")
                .withMessageContaining("Employee");
        assertThatIllegalArgumentException().isThrownBy(() -> staff.delete("Marketing", "P:1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> staff.insert(new Employee("Marketing", "7", "Bob", 41)))
                .withMessageContaining("\"E:\"");
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> staff.as(Unkeyed.class))
                .withMessageContaining("@PartitionKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> staff.property("title"))
                .withMessageContaining("title");
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("T4: indexes of a sealed type take the value of the record that has one")
    void indexes() {
        Index<StaffRow, Integer> age =
                Index.number("AGE", 3, row -> row instanceof Employee employee ? employee.age() : null);
        var written = new ArrayList<>();

        var unused = staff.indexed(age)
                .reactive()
                .transaction("Marketing")
                .insert(MARKETING)
                .insert(BOB)
                .commit()
                .subscribe(written::addAll);
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(written).hasSize(2);
        assertThat(bodies.get(0)).contains("\"RowKey\":\"AGE:041!E:7\"").containsOnlyOnce("AGE:");
        rows = "{\"PartitionKey\":\"Marketing\",\"RowKey\":\"AGE:041!E:7\",\"name\":\"Bob\",\"age\":41,"
                + "\"StowlineRowKey\":\"E:7\",\"StowlineIndex\":\"AGE 1\"}";
        assertThat(staff.indexed(age).stream(age, "Marketing", 41)).containsExactly(BOB);
        Index<Employee, Integer> own = Index.number("AGE", 3, Employee::age);
        assertThat(staff.as(Employee.class).indexed(own).stream(own, "Marketing", 41))
                .containsExactly(BOB);
        assertThat(sent.get(2)).doesNotContain("'E:'");
        assertThat(staff.indexed(age).query().partition("Marketing").queryClass())
                .isEqualTo("partition");
    }
}
