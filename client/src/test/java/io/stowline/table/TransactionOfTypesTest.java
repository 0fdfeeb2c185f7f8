package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Staff.Department;
import io.stowline.table.Staff.Employee;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.operation.DefaultReactiveTransaction;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.operation.TableMember;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Explicit transactions of rows of several types, as they are on the wire. */
class TransactionOfTypesTest {

    private static final Pattern PART = Pattern.compile("(POST|PUT|MERGE|DELETE) https?://[^/]*/(\\S+) HTTP/1.1");
    private static final String ETAG = "W/\"1\"";
    private static final Index<Employee, Integer> AGE = Index.number("AGE", 3, Employee::age);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
    private final Table<Employee> employees = table("staff", Employee.class);
    private final Table<Department> departments = table("Staff", Department.class);
    private final List<String> sent = new ArrayList<>();
    private final Queue<Mono<String>> scripted = new ArrayDeque<>();
    private final List<Throwable> errors = new ArrayList<>();
    private @Nullable List<WriteResult> written;

    private <T> Table<T> table(String name, Class<T> type) {
        return DefaultTable.of(service, name, type, Mapping.standard());
    }

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            line.begin();
            line.whole();
            String body = request.getBodyAsBinaryData() == null
                    ? ""
                    : request.getBodyAsBinaryData().toString();
            sent.add(request.getHttpMethod() + " " + request.getUrl().getPath() + "\n" + body);
            if (request.getHttpMethod() == HttpMethod.GET) {
                return Mono.just(SimulatedConnection.response(request, 404, new HttpHeaders(), new byte[0]));
            }
            Mono<String> next = scripted.poll();
            Mono<String> text =
                    next == null ? Mono.just(MultipartText.success(parts(body).size())) : next;
            return text.map(multipart -> SimulatedConnection.response(
                    request,
                    202,
                    new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "multipart/mixed; boundary=batchresponse_1"),
                    multipart.getBytes(StandardCharsets.UTF_8)));
        });
    }

    /** Returns the operations of a body, such as {@code POST staff} and {@code DELETE staff(PartitionKey='M',RowKey='E:1')}. */
    private static List<String> parts(String body) {
        List<String> parts = new ArrayList<>();
        Matcher each = PART.matcher(body);
        while (each.find()) {
            parts.add(each.group(1) + " " + each.group(2));
        }
        return parts;
    }

    private void commit(ReactiveTransaction<?> transaction) {
        var unused = transaction.commit().subscribe(results -> written = results, errors::add);
        time.advanceTimeBy(Duration.ofMinutes(5));
    }

    @Test
    @DisplayName("T4: rows of three types, and the index rows of one, are one request in the order of their addition")
    void oneRequest() {
        Table<Entity> notes = table("staff", Entity.class);
        ReactiveTransaction<Employee> hires =
                employees.reactive().transaction("Marketing").insert(Employee.of("Marketing", 7));
        hires.in(departments.reactive())
                .merge(StoredEntity.of(Department.of("Marketing"), ETAG))
                .in(notes.reactive())
                .delete("note");
        hires.in(employees.indexed(AGE).reactive()).insert(Employee.of("Marketing", 8));

        commit(hires.delete("E:00009"));

        assertThat(errors).isEmpty();
        assertThat(written).hasSize(5);
        assertThat(sent).hasSize(1);
        assertThat(parts(sent.get(0)))
                .containsExactly(
                        "POST staff",
                        "MERGE staff(PartitionKey='Marketing',RowKey='D%3Ainfo')",
                        "DELETE staff(PartitionKey='Marketing',RowKey='note')",
                        "POST staff",
                        "PUT staff(PartitionKey='Marketing',RowKey='AGE%3A028%21E%3A00008')",
                        "DELETE staff(PartitionKey='Marketing',RowKey='E%3A00009')");
        assertThat(sent.get(0)).contains("\"head\":\"Ann\"", "\"name\":\"employee 7\"", "If-Match: W/\"1\"");
    }

    @Test
    @DisplayName("T4: holders of another table or client, and rows of another partition, are refused before anything is"
            + " sent")
    void refusals() {
        Transaction<Employee> transaction = employees.transaction("Marketing");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.in(table("archive", Department.class)))
                .withMessageContaining("the table archive of Department")
                .withMessageContaining("the table staff of Employee")
                .withMessageContaining("rows of one table");
        TableService other = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
        Table<Department> elsewhere = DefaultTable.of(other, "staff", Department.class, Mapping.standard());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.in(elsewhere))
                .withMessageContaining("different Stowline clients");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.in(departments).insert(Department.of("Sales")))
                .withMessageContaining("operation 0 of the transaction (insert of Department staff(Sales, D:info))")
                .withMessageContaining("'Sales'")
                .withMessageContaining("'Marketing'");
        transaction.insert(Employee.of("Marketing", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.in(table("staff", Entity.class)).delete("E:00001"))
                .withMessageContaining("operation 1 of the transaction (delete of Entity staff(Marketing, E:00001))")
                .withMessageContaining("second for this entity");
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("T4: the limits of 100 operations and 4 MiB hold for all types together, when an operation is added")
    void limits() {
        Transaction<Employee> full = employees.transaction("Marketing");
        Transaction<Department> more = full.in(departments);
        for (int i = 0; i < 99; i++) {
            full.insert(Employee.of("Marketing", i));
        }
        more.insert(Department.of("Marketing"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.insert(Employee.of("Marketing", 99)))
                .withMessageContaining("the limit is 100 operations");

        Transaction<Entity> large = table("staff", Entity.class).transaction("Marketing");
        large.insert(large("a")).insert(large("b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> large.in(departments)
                        .insert(Department.of("Marketing"))
                        .in(table("staff", Entity.class))
                        .insert(large("c")))
                .withMessageContaining("operation 3 of the transaction (insert of Entity staff(Marketing, c))")
                .withMessageContaining("bytes long: the limit is 4177920 bytes");
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("T4: index rows count for the 4 MiB, before a reference elsewhere is written")
    void indexRowsCount() {
        Index<Entity, String> here = Index.text("HERE", entity -> "x");
        Index<Entity, String> elsewhere =
                Index.text("ELSEWHERE", (Entity entity) -> "x").global();

        commit(departments
                .reactive()
                .transaction("Marketing")
                .insert(Department.of("Marketing"))
                .in(table("staff", Entity.class)
                        .indexed(List.of(here, elsewhere))
                        .reactive())
                .insert(large("a"))
                .insert(large("b")));

        assertThat(errors).singleElement().isInstanceOf(IllegalArgumentException.class);
        assertThat(errors.get(0))
                .hasMessageContaining("'Marketing'")
                .hasMessageContaining("bytes with the copies of its entities in index rows")
                .hasMessageContaining("the limit is 4177920 bytes");
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("T4: a transaction is committed once, through whichever view")
    void once() {
        ReactiveTransaction<Employee> first =
                employees.reactive().transaction("Marketing").insert(Employee.of("Marketing", 1));
        ReactiveTransaction<Department> second =
                first.in(departments.reactive()).insert(Department.of("Marketing"));

        commit(first);

        assertThat(written).hasSize(2);
        assertThatIllegalStateException().isThrownBy(second::commit).withMessageContaining("'Marketing'");
        assertThat(sent).hasSize(1);
    }

    /** Returns an entity whose text takes 1.4 MB on the wire. */
    private static Entity large(String row) {
        Entity.Builder entity = Entity.builder("Marketing", row);
        for (int i = 0; i < 16; i++) {
            entity.set("P" + i, "€".repeat(30_000));
        }
        return entity.build();
    }

    @Test
    @DisplayName("OUTCOME-4: the failure of a transaction names the operation with its type and keys")
    void failure() {
        scripted.add(
                Mono.just(MultipartText.failure(409, "EntityAlreadyExists", "1:The specified entity already exists.")));

        commit(employees
                .reactive()
                .transaction("Marketing")
                .insert(Employee.of("Marketing", 1))
                .in(departments.reactive())
                .insert(Department.of("Marketing")));

        assertThat(errors).singleElement().isInstanceOfSatisfying(TransactionFailedException.class, e -> {
            assertThat(e.index()).isEqualTo(1);
            assertThat(e.member()).isEqualTo("insert of Department staff(Marketing, D:info)");
            assertThat(e).hasCauseInstanceOf(ConflictException.class);
            assertThat(e)
                    .hasMessageStartingWith(
                            "operation 1 of the transaction (insert of Department staff(Marketing, D:info)) failed: ");
        });
    }

    @Test
    @DisplayName(
            "OUTCOME-4: after a lost response the witness decides for the rows of all types, or the outcome is unknown")
    void lostResponse() {
        Table<Employee> hasty = employees.withRetry(settings -> settings.backoff(Backoff.none()));
        scripted.add(Mono.error(new IOException("reset")));

        commit(hasty.reactive()
                .transaction("Marketing")
                .insert(Employee.of("Marketing", 1))
                .in(departments.reactive())
                .insert(Department.of("Marketing")));

        assertThat(written).isNull();
        assertThat(sent.get(0)).startsWith("POST").containsOnlyOnce("StowlineWrite");
        assertThat(sent.get(1)).startsWith("GET /staff(PartitionKey='Marketing',RowKey='E%3A00001')");
        assertThat(errors).singleElement().isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("T4: types whose index rows would meet, and rows in the place of index rows, are refused")
    void indexNames() {
        Index<Department, Integer> same = Index.number("AGE", 3, Department::budget);
        commit(employees
                .indexed(AGE)
                .reactive()
                .transaction("Marketing")
                .insert(Employee.of("Marketing", 1))
                .in(departments.indexed(same).reactive())
                .insert(Department.of("Marketing")));
        commit(table("staff", Entity.class)
                .reactive()
                .transaction("Marketing")
                .insert(Entity.builder("Marketing", "AGE:001").build())
                .in(employees.indexed(AGE).reactive())
                .insert(Employee.of("Marketing", 1)));

        assertThat(errors).hasSize(2).allMatch(IllegalArgumentException.class::isInstance);
        assertThat(errors.get(0))
                .hasMessageContaining("Employee and Department")
                .hasMessageContaining("AGE");
        assertThat(errors.get(1)).hasMessageContaining("AGE:");
        assertThat(sent).isEmpty();
    }

    @SuppressWarnings("unchecked") // the face has rows of its type
    private static <T> TableMember<T> members(Object face) {
        return ((TableHolder<T>) face).member();
    }

    @Test
    @DisplayName("T4: a row of the library is sent behind those of the application, and has no result")
    void rowBeside() {
        for (boolean indexed : List.of(false, true)) {
            sent.clear();
            TransactionSteps<Employee> steps = indexed
                    ? TransactionSteps.of(members(employees.indexed(AGE)), "Marketing")
                    : TransactionSteps.of(members(employees), "Marketing");
            steps.plan().addBeside(members(departments).encode(TableOperation.insert(Department.of("Marketing"))));

            commit(new DefaultReactiveTransaction<>(steps).insert(Employee.of("Marketing", 1)));

            assertThat(errors).isEmpty();
            assertThat(written).hasSize(1);
            assertThat(sent).hasSize(1);
            assertThat(parts(sent.get(0))).hasSize(indexed ? 3 : 2);
            assertThat(sent.get(0).indexOf("employee 1")).isLessThan(sent.get(0).indexOf("budget"));
        }
    }
}
