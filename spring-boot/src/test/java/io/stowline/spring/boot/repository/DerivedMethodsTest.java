package io.stowline.spring.boot.repository;

import static io.stowline.spring.boot.repository.MemoryRunners.ANN;
import static io.stowline.spring.boot.repository.MemoryRunners.BEA;
import static io.stowline.spring.boot.repository.MemoryRunners.CAT;
import static io.stowline.spring.boot.repository.MemoryRunners.DAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.spring.boot.repository.MemoryRunners.Member;
import io.stowline.spring.boot.repository.MemoryRunners.Runner;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Names of methods, and the requests that they become. */
class DerivedMethodsTest {

    interface Runners extends TableRepository<Runner> {

        Optional<Runner> findByRaceAndBib(String race, String bib);

        Optional<Runner> findByBibAndRace(String bib, String race);

        Optional<StoredEntity<Runner>> findByPartitionKeyAndRowKey(String race, String bib);

        List<Runner> findByRace(String race);

        Stream<StoredEntity<Runner>> findByRaceIs(String race);

        List<Runner> findByRaceAndBibStartingWith(String race, String prefix);

        List<Runner> findByRaceAndBibBetween(String race, String first, String last);

        List<Runner> findByRaceAndBibGreaterThan(String race, String bib);

        List<Runner> findByRaceAndBibGreaterThanEqual(String race, String bib);

        List<Runner> findByRaceAndBibLessThan(String race, String bib);

        List<Runner> findByRaceAndBibLessThanEqual(String race, String bib);

        Query.Page<Runner> findByRaceEquals(String race, int size, Optional<String> token);

        Query.Page<StoredEntity<Runner>> findByRaceAndBibAfter(
                String race, String bib, int size, Optional<String> token);

        boolean existsByRaceAndBib(String race, String bib);

        boolean deleteByRaceAndBib(String race, String bib);

        void deleteByBibAndRace(String bib, String race);

        default List<Runner> veterans(String race) {
            return findByRace(race).stream().filter(each -> each.age() > 40).toList();
        }
    }

    interface IndexedRunners extends TableRepository<Runner> {

        List<Runner> findByRaceAndAge(String race, int age);

        List<Runner> findByRaceAndAgeBetween(String race, int youngest, int oldest);

        Stream<Runner> findByRaceAndAgeGreaterThan(String race, int age);

        List<StoredEntity<Runner>> findByRaceAndAgeLessThanEqual(String race, int age);

        List<Runner> findByRaceAndNameStartingWith(String race, String prefix);

        Query.Page<Runner> findByRaceAndNameGreaterThanEqual(
                String race, String name, int size, Optional<String> token);

        Optional<Runner> findByRaceAndName(String race, String name);

        Optional<Runner> findByRaceAndShirt(String race, String shirt);

        Optional<StoredEntity<Runner>> findByShirtAndRace(String shirt, String race);

        boolean existsByRaceAndShirt(String race, String shirt);

        List<StoredEntity<Runner>> findByMail(String mail);

        Optional<Runner> findByMailIs(String mail);

        List<Runner> findByRace(String race);
    }

    interface Members extends TableRepository<Member> {

        List<Member> findByMarathonAndKind(String marathon, String kind);

        List<Member> findByMarathonAndKindAndFamily(String marathon, String kind, String family);

        List<Member> findByFamilyAndGivenAndMarathonAndKind(String family, String given, String marathon, String kind);

        Optional<Member> findByMarathonAndKindAndFamilyAndGivenAndNumber(
                String marathon, String kind, String family, String given, int number);

        List<Member> findByRaceAndFamily(String race, String family);
    }

    interface ReactiveRunners extends ReactiveTableRepository<Runner> {

        Mono<Runner> findByRaceAndBib(String race, String bib);

        Flux<Runner> findByRace(String race);

        Mono<Query.Page<Runner>> findByRaceAndBibGreaterThan(String race, String bib, int size, Optional<String> token);

        Flux<StoredEntity<Runner>> findByRaceAndAgeBetween(String race, int youngest, int oldest);

        Mono<Query.Page<StoredEntity<Runner>>> findByRaceAndAge(String race, int age, int size, Optional<String> token);

        Mono<Runner> findByMail(String mail);

        Mono<StoredEntity<Runner>> findByRaceAndShirt(String race, String shirt);

        Mono<Boolean> existsByRaceAndShirt(String race, String shirt);

        Mono<Boolean> existsByRaceAndBib(String race, String bib);

        Mono<Void> deleteByRaceAndBib(String race, String bib);

        default Flux<String> names(String race) {
            return findByRace(race).map(Runner::name);
        }
    }

    private MemoryRunners storage;
    private Runners runners;
    private IndexedRunners indexed;
    private ReactiveRunners reactive;
    private Members members;

    @BeforeEach
    void store() {
        storage = new MemoryRunners();
        runners = storage.runners().create(Runners.class);
        indexed = storage.indexed().create(IndexedRunners.class);
        reactive = storage.indexed().create(ReactiveRunners.class);
        members = storage.members().create(Members.class);
        for (Runner each : List.of(ANN, BEA, CAT, DAN)) {
            runners.insert(each);
            indexed.insert(each);
        }
    }

    @AfterEach
    void close() {
        storage.close();
    }

    static Stream<Arguments> points() {
        return Stream.of(
                blocking("findByRaceAndBib", r -> r.findByRaceAndBib("full", "0001")),
                blocking("findByBibAndRace", r -> r.findByBibAndRace("0001", "full")),
                blocking("findByPartitionKeyAndRowKey", r -> r.findByPartitionKeyAndRowKey("full", "0001")
                        .map(StoredEntity::value)));
    }

    private static Arguments blocking(String name, Function<Runners, Object> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("points")
    void aWholeKeyIsAPointRead(String name, Function<Runners, Object> call) {
        int before = storage.sent();

        assertThat(call.apply(runners)).isEqualTo(Optional.of(ANN));

        assertThat(storage.since(before)).as(name).containsExactly("GET /runners(PartitionKey='full',RowKey='0001')");
    }

    static Stream<Arguments> ranges() {
        return Stream.of(
                range("", r -> r.findByRace("full"), ANN, BEA, CAT),
                range("", r -> all(r.findByRaceIs("full")), ANN, BEA, CAT),
                range(
                        "RowKey ge '000' and RowKey lt '001'",
                        r -> r.findByRaceAndBibStartingWith("full", "000"),
                        ANN,
                        BEA),
                range(
                        "RowKey ge '0002' and RowKey le '0011'",
                        r -> r.findByRaceAndBibBetween("full", "0002", "0011"),
                        BEA,
                        CAT),
                range("RowKey gt '0001'", r -> r.findByRaceAndBibGreaterThan("full", "0001"), BEA, CAT),
                range("RowKey ge '0002'", r -> r.findByRaceAndBibGreaterThanEqual("full", "0002"), BEA, CAT),
                range("RowKey lt '0002'", r -> r.findByRaceAndBibLessThan("full", "0002"), ANN),
                range("RowKey le '0002'", r -> r.findByRaceAndBibLessThanEqual("full", "0002"), ANN, BEA));
    }

    private static Arguments range(String rows, Function<Runners, List<Runner>> call, Runner... found) {
        return Arguments.of(rows, call, List.of(found));
    }

    private static List<Runner> all(Stream<StoredEntity<Runner>> found) {
        try (found) {
            return found.map(StoredEntity::value).toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ranges")
    void aPartitionAndARangeAreOneQuery(String rows, Function<Runners, List<Runner>> call, List<Runner> found) {
        int before = storage.sent();

        assertThat(call.apply(runners)).isEqualTo(found);

        assertThat(storage.since(before))
                .containsExactly(
                        "GET /runners() filter=PartitionKey eq 'full'" + (rows.isEmpty() ? "" : " and " + rows));
    }

    @Test
    void aPageEndsWithATokenThatContinuesIt() {
        Query.Page<Runner> first = runners.findByRaceEquals("full", 2, Optional.empty());
        Query.Page<Runner> second = runners.findByRaceEquals("full", 2, first.nextToken());
        Query.Page<StoredEntity<Runner>> stored = runners.findByRaceAndBibAfter("full", "0001", 1, Optional.empty());
        Query.Page<StoredEntity<Runner>> last = runners.findByRaceAndBibAfter("full", "0001", 5, stored.nextToken());

        assertThat(first.values()).containsExactly(ANN, BEA);
        assertThat(second.values()).containsExactly(CAT);
        assertThat(second.nextToken()).isEmpty();
        assertThat(stored.values()).extracting(StoredEntity::value).containsExactly(BEA);
        assertThat(last.values()).extracting(StoredEntity::value).containsExactly(CAT);
        assertThatThrownBy(() -> runners.findByRaceEquals("half", 2, first.nextToken()))
                .isInstanceOf(InvalidPageTokenException.class);
    }

    @Test
    void existsAndDeleteTakeOneRequest() {
        int before = storage.sent();

        assertThat(runners.existsByRaceAndBib("full", "0001")).isTrue();
        assertThat(runners.existsByRaceAndBib("full", "none")).isFalse();
        assertThat(runners.deleteByRaceAndBib("full", "0001")).isTrue();
        assertThat(runners.deleteByRaceAndBib("full", "0001")).isFalse();
        runners.deleteByBibAndRace("0002", "full");

        assertThat(storage.since(before)).hasSize(5);
        assertThat(runners.findByRace("full")).containsExactly(CAT);
    }

    @Test
    void aDefaultMethodCallsTheOthers() {
        assertThat(runners.veterans("full")).containsExactly(ANN, CAT);
        assertThat(runners).hasToString("Runners[runners]").isEqualTo(runners).isNotEqualTo(indexed);
        assertThat(runners.hashCode()).isEqualTo(runners.hashCode());
    }

    @Test
    void anIndexFindsValuesAndRangesInOneQueryOfItsRows() {
        int before = storage.sent();

        assertThat(indexed.findByRaceAndAge("full", 41)).containsExactly(ANN, CAT);
        assertThat(indexed.findByRaceAndAgeBetween("full", 29, 41)).containsExactly(BEA, ANN, CAT);
        assertThat(indexed.findByRaceAndAgeBetween("full", 30, 40)).isEmpty();
        assertThat(indexed.findByRaceAndAgeGreaterThan("full", 29)).containsExactly(ANN, CAT);
        assertThat(indexed.findByRaceAndAgeGreaterThan("full", 41)).isEmpty();
        assertThat(indexed.findByRaceAndNameStartingWith("full", "B")).containsExactly(BEA);
        assertThat(indexed.findByRaceAndName("full", "Cat")).contains(CAT);

        assertThat(storage.since(before)).hasSize(7).allSatisfy(request -> assertThat(request)
                .startsWith("GET /indexed() filter=")
                .contains("PartitionKey eq 'full' and RowKey ge '", "RowKey lt '"));
    }

    @Test
    void resultsWithETagsOfAnIndexCostARequestEach() {
        int before = storage.sent();

        assertThat(indexed.findByRaceAndAgeLessThanEqual("full", 41))
                .extracting(StoredEntity::value)
                .containsExactly(BEA, ANN, CAT);

        assertThat(storage.since(before)).hasSize(4);
        assertThat(indexed.replace(indexed.findByRaceAndAgeLessThanEqual("full", 29)
                                .get(0))
                        .etag())
                .isNotEmpty();
    }

    @Test
    void aUniqueIndexIsAPointRead() {
        int before = storage.sent();

        assertThat(indexed.findByRaceAndShirt("full", "full0002")).contains(BEA);
        assertThat(indexed.existsByRaceAndShirt("full", "full0009")).isFalse();
        assertThat(storage.since(before))
                .hasSize(2)
                .allMatch(request -> request.startsWith("GET /indexed(PartitionKey="));
        assertThat(indexed.findByShirtAndRace("full0002", "full"))
                .hasValueSatisfying(found -> assertThat(found.etag()).isNotEmpty());
    }

    @Test
    void aGlobalIndexFindsAcrossPartitions() {
        assertThat(indexed.findByMail("ann@x.org"))
                .extracting(StoredEntity::value)
                .containsExactly(ANN, CAT);
        assertThat(indexed.findByMailIs("dan@x.org")).contains(DAN);
        assertThat(indexed.findByMailIs("eve@x.org")).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> indexed.findByMailIs("ann@x.org"))
                .withMessageContaining("IndexedRunners.findByMailIs found more than one entity");
    }

    @Test
    void aPageOfAnIndexContinues() {
        Query.Page<Runner> first = indexed.findByRaceAndNameGreaterThanEqual("full", "A", 2, Optional.empty());
        Query.Page<Runner> second = indexed.findByRaceAndNameGreaterThanEqual("full", "A", 2, first.nextToken());

        assertThat(first.values()).containsExactly(ANN, BEA);
        assertThat(second.values()).containsExactly(CAT);
        assertThat(second.nextToken()).isEmpty();
    }

    @Test
    @DisplayName("a list of an index is read to its end, page by page")
    void readsAllPagesOfAnIndex() {
        List<Runner> many = new ArrayList<>();
        for (int i = 0; i < 1_005; i++) {
            many.add(new Runner("big", "%04d".formatted(i), "N", 30, "m" + i));
        }
        try (var writer = indexed.indexed().writer()) {
            many.forEach(writer::insert);
        }
        int before = storage.sent();

        assertThat(indexed.findByRaceAndAge("big", 30)).isEqualTo(many);
        assertThat(storage.since(before)).hasSize(2);
        assertThat(reactive.findByRaceAndAgeBetween("big", 30, 30).count().block())
                .isEqualTo(1_005L);
    }

    @Test
    void queriesLeaveIndexRowsOut() {
        assertThat(indexed.findByRace("full")).containsExactly(ANN, BEA, CAT);
        assertThat(indexed.query("full").list()).containsExactly(ANN, BEA, CAT);
    }

    @Test
    void partsOfCompositeKeysFindRangesAndPoints() {
        Member first = new Member("berlin__full", MemoryRunners.MEMBERS.format("Van den Berg", "Ann", 7), 30);
        Member second = new Member("berlin__full", MemoryRunners.MEMBERS.format("Van den Berg", "Bea", 8), 31);
        Member other = new Member("berlin__full", MemoryRunners.MEMBERS.format("Vanden", "Cat", 9), 32);
        List.of(first, second, other).forEach(members::insert);
        int before = storage.sent();

        assertThat(members.findByMarathonAndKind("berlin", "full")).hasSize(3);
        assertThat(members.findByMarathonAndKindAndFamily("berlin", "full", "Van den Berg"))
                .containsExactly(first, second);
        assertThat(members.findByFamilyAndGivenAndMarathonAndKind("Van den Berg", "Bea", "berlin", "full"))
                .containsExactly(second);
        assertThat(members.findByMarathonAndKindAndFamilyAndGivenAndNumber("berlin", "full", "Vanden", "Cat", 9))
                .contains(other);
        assertThat(members.findByRaceAndFamily("berlin__full", "Vanden")).containsExactly(other);

        assertThat(storage.since(before)).hasSize(5).element(1).asString().contains("RowKey ge 'Van", "RowKey lt 'Van");
        assertThat(storage.since(before)).element(3).asString().startsWith("GET /members(PartitionKey='berlin__full'");
    }

    @Test
    void theReactiveFaceDerivesTheSame() {
        int before = storage.sent();
        Mono<Runner> one = reactive.findByRaceAndBib("full", "0001");
        assertThat(storage.sent()).as("nothing before the subscription").isEqualTo(before);

        assertThat(one.block()).isEqualTo(ANN);
        assertThat(reactive.names("full").collectList().block()).containsExactly("Ann", "Bea", "Cat");
        Query.Page<Runner> page = reactive.findByRaceAndBibGreaterThan("full", "0001", 1, Optional.empty())
                .block();
        assertThat(page.values()).containsExactly(BEA);
        assertThat(reactive.findByRaceAndBibGreaterThan("full", "0001", 1, page.nextToken())
                        .block()
                        .values())
                .containsExactly(CAT);
        assertThat(reactive.findByRaceAndAgeBetween("full", 29, 41)
                        .map(StoredEntity::value)
                        .collectList()
                        .block())
                .containsExactly(BEA, ANN, CAT);
        assertThat(reactive.findByRaceAndAge("full", 41, 5, Optional.empty())
                        .block()
                        .values())
                .extracting(StoredEntity::value)
                .containsExactly(ANN, CAT);
        assertThat(reactive.findByMail("dan@x.org").block()).isEqualTo(DAN);
        assertThatIllegalStateException()
                .isThrownBy(() -> reactive.findByMail("ann@x.org").block());
        assertThat(reactive.findByRaceAndShirt("full", "full0002").block().value())
                .isEqualTo(BEA);
        assertThat(reactive.existsByRaceAndShirt("full", "full0002").block()).isTrue();
        reactive.deleteByRaceAndBib("full", "0001").block();
        assertThat(reactive.existsByRaceAndBib("full", "0001").block()).isFalse();
        assertThat(reactive).hasToString("ReactiveRunners[indexed]");
    }
}
