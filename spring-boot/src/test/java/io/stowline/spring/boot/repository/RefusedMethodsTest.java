package io.stowline.spring.boot.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.repository.MemoryRunners.Member;
import io.stowline.spring.boot.repository.MemoryRunners.Runner;
import io.stowline.table.Index;
import io.stowline.table.Query;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that no request of the table serves: each stops the making of the repository, and its message names the query class. */
class RefusedMethodsTest {

    private static final MemoryRunners STORAGE = new MemoryRunners();

    @AfterAll
    static void close() {
        STORAGE.close();
    }

    interface ByAge extends TableRepository<Runner> {
        List<Runner> findByAge(int age);
    }

    interface ByRaceAndAge extends TableRepository<Runner> {
        List<Runner> findByRaceAndAgeGreaterThan(String race, int age);
    }

    interface ByTypo extends TableRepository<Runner> {
        List<Runner> findByRaceAndAgee(String race, int age);
    }

    interface ByBib extends TableRepository<Runner> {
        List<Runner> findByBib(String bib);
    }

    interface ByRaces extends TableRepository<Runner> {
        List<Runner> findByRaceStartingWith(String prefix);
    }

    interface Sorted extends TableRepository<Runner> {
        List<Runner> findByRaceOrderByName(String race);
    }

    interface Counted extends TableRepository<Runner> {
        long countByRace(String race);
    }

    interface Limited extends TableRepository<Runner> {
        List<Runner> findTop10ByRace(String race);
    }

    interface All extends TableRepository<Runner> {
        List<Runner> findAll();
    }

    interface Either extends TableRepository<Runner> {
        List<Runner> findByRaceOrBib(String race, String bib);
    }

    interface OtherVerb extends TableRepository<Runner> {
        void removeByRace(String race);
    }

    interface DeleteRange extends TableRepository<Runner> {
        void deleteByRace(String race);
    }

    interface ExistsRange extends TableRepository<Runner> {
        boolean existsByRace(String race);
    }

    interface TwiceBib extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibGreaterThanAndBibLessThan(String race, String from, String below);
    }

    interface OneOfMany extends TableRepository<Runner> {
        Optional<Runner> findByRace(String race);
    }

    interface ManyOfOne extends TableRepository<Runner> {
        List<Runner> findByRaceAndBib(String race, String bib);
    }

    interface Bare extends TableRepository<Runner> {
        Runner findByRaceAndBib(String race, String bib);
    }

    interface OtherFace extends TableRepository<Runner> {
        Flux<Runner> findByRace(String race);
    }

    interface BlockingOfReactive extends ReactiveTableRepository<Runner> {
        List<Runner> findByRace(String race);
    }

    interface OtherType extends TableRepository<Runner> {
        List<Member> findByRace(String race);
    }

    interface TooFew extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibBetween(String race, String first);
    }

    interface NoToken extends TableRepository<Runner> {
        Query.Page<Runner> findByRace(String race, int size, String token);
    }

    interface NumberAsKey extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibGreaterThan(String race, int bib);
    }

    interface WrongIndexType extends TableRepository<Runner> {
        List<Runner> findByRaceAndAge(String race, String age);
    }

    interface WrongIndexTypeAgain extends TableRepository<Runner> {
        List<Runner> findByRaceAndName(String race, UUID name);
    }

    interface PrefixOfNumber extends TableRepository<Runner> {
        List<Runner> findByRaceAndAgeStartingWith(String race, int prefix);
    }

    interface PrefixOfNumberAsText extends TableRepository<Runner> {
        List<Runner> findByRaceAndAgeStartingWith(String race, String prefix);
    }

    interface GlobalInPartition extends TableRepository<Runner> {
        List<Runner> findByRaceAndMail(String race, String mail);
    }

    interface GlobalRange extends TableRepository<Runner> {
        List<Runner> findByMailStartingWith(String prefix);
    }

    interface IndexAndBib extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibAndAge(String race, String bib, int age);
    }

    interface LocalWithoutPartition extends TableRepository<Runner> {
        List<Runner> findByAge(int age);
    }

    interface DeleteByIndex extends TableRepository<Runner> {
        void deleteByRaceAndShirt(String race, String shirt);
    }

    interface PartOfPartition extends TableRepository<Member> {
        List<Member> findByMarathon(String marathon);
    }

    interface LaterPart extends TableRepository<Member> {
        List<Member> findByRaceAndGiven(String race, String given);
    }

    interface RangeOfPart extends TableRepository<Member> {
        List<Member> findByRaceAndFamilyStartingWith(String race, String prefix);
    }

    interface WrongPart extends TableRepository<Member> {
        List<Member> findByRaceAndFamily(String race, Object family);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(
                        ByAge.class,
                        "whole table (query class table-scan): 'age' is neither a key of Runner nor declared as an"
                                + " index; keys and indexes are race, partitionKey, bib, rowKey",
                        "index"),
                refused(
                        ByRaceAndAge.class,
                        "whole partition and filter it (query class partition): 'age' is neither",
                        "query(..)"),
                refused(ByTypo.class, "'agee' is no property of Runner", "index"),
                refused(
                        ByBib.class,
                        "no partition, so that it would read the whole table (query class table-scan)",
                        "Name the partition"),
                refused(ByRaces.class, "(query class partition-range)", "compared for equality"),
                refused(Sorted.class, "it sorts", "row key"),
                refused(Counted.class, "the service has no count", "query(..).count()"),
                refused(Limited.class, "begin with findBy", "limit(n)"),
                refused(All.class, "begin with findBy", "reads the whole table"),
                refused(Either.class, "it has alternatives", "for each"),
                refused(OtherVerb.class, "begins with none of findBy, existsBy and deleteBy", "default"),
                refused(
                        DeleteRange.class,
                        "more than one entity, or not its key (query class partition)",
                        "deleteAll()"),
                refused(ExistsRange.class, "(query class partition)", "first()"),
                refused(TwiceBib.class, "compares the row key twice", "Between"),
                refused(OneOfMany.class, "Optional<", "List<Runner>, Stream<Runner> or Query.Page<Runner>"),
                refused(ManyOfOne.class, "query class point of one entity", "Optional<Runner>"),
                refused(Bare.class, "it returns", "Optional"),
                refused(OtherFace.class, "it returns reactor.core.publisher.Flux", "List"),
                refused(BlockingOfReactive.class, "it returns java.util.List", "Flux"),
                refused(OtherType.class, "the entities are of the type Runner", "StoredEntity<Runner>"),
                refused(TooFew.class, "has 2 parameters and needs 3", "two for Between"),
                refused(NoToken.class, "not the size and the token", "Optional<String> token"),
                refused(NumberAsKey.class, "parameter 2 is of the type Integer, which 'bib' does not have", "String"));
    }

    static Stream<Arguments> refusedWithIndexes() {
        return Stream.of(
                refused(WrongIndexType.class, "parameter 2 is of the type String, which 'age' does not have", "index"),
                refused(WrongIndexTypeAgain.class, "of the type UUID", "index"),
                refused(PrefixOfNumber.class, "parameter 2 is of the type Integer, which 'age' does not have", "index"),
                refused(PrefixOfNumberAsText.class, "parameter 2 is of the type String", "index"),
                refused(GlobalInPartition.class, "MAIL, which is global, has one value and no partition", "alone"),
                refused(GlobalRange.class, "MAIL, which is global", "not global"),
                refused(IndexAndBib.class, "no further condition but the partition", "default"),
                refused(LocalWithoutPartition.class, "(query class table-scan)", "Name the partition"),
                refused(DeleteByIndex.class, "(query class index)", "whole key"));
    }

    static Stream<Arguments> refusedWithFormats() {
        return Stream.of(
                refused(PartOfPartition.class, "(query class partition-range)", "[marathon, kind]"),
                refused(LaterPart.class, "first parts are compared for equality", "[family, given, number]"),
                refused(RangeOfPart.class, "(query class partition)", "rowRange"),
                refused(WrongPart.class, "of the type Object, which 'family' does not have", "part"));
    }

    private static Arguments refused(Class<?> repository, String message, String action) {
        return Arguments.of(repository, message, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refuses(Class<?> repository, String message, String action) {
        check(repository, message, action, STORAGE.runners());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedWithIndexes")
    void refusesBesideIndexes(Class<?> repository, String message, String action) {
        check(repository, message, action, STORAGE.indexed());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedWithFormats")
    void refusesBesideFormats(Class<?> repository, String message, String action) {
        check(repository, message, action, STORAGE.members());
    }

    @SuppressWarnings("unchecked") // each repository is one of these entities
    private static <T> void check(
            Class<?> repository, String message, String action, TableRepositoryFactory<T> factory) {
        int before = STORAGE.sent();
        StowlineConfigurationException refused = catchThrowableOfType(
                StowlineConfigurationException.class, () -> factory.create((Class<StowlineRepository<T>>) repository));

        assertThat(refused).isNotNull();
        assertThat(refused.getMessage())
                .startsWith(repository.getSimpleName() + "." + repository.getDeclaredMethods()[0].getName()
                        + " cannot be derived: ")
                .contains(message)
                .endsWith(".")
                .doesNotContain("..");
        assertThat(refused.action()).contains(action);
        assertThat(STORAGE.sent()).isEqualTo(before);
    }

    interface TextForNumber extends TableRepository<Member> {
        Optional<Member> findByMarathonAndKindAndFamilyAndGivenAndNumber(
                String marathon, String kind, String family, String given, String number);
    }

    interface NumberForText extends TableRepository<Member> {
        List<Member> findByMarathonAndKindAndFamily(String marathon, String kind, int family);
    }

    interface NumberInPartition extends TableRepository<Member> {
        List<Member> findByMarathonAndKind(long marathon, String kind);
    }

    @Test
    void refusesParametersOfOtherTypesThanTheParts() {
        check(
                TextForNumber.class,
                "number: a java.lang.String is given, but it takes a Long",
                "types",
                STORAGE.members());
        check(NumberForText.class, "family: a java.lang.Integer is given", "types", STORAGE.members());
        check(NumberInPartition.class, "marathon: a java.lang.Long is given", "types", STORAGE.members());
    }

    interface RowRange extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibGreaterThan(String race, String bib);
    }

    interface RowPrefixes extends TableRepository<Runner> {
        List<Runner> findByRaceAndBibStartingWith(String race, String prefix);
    }

    interface ReactiveRowPrefixes extends ReactiveTableRepository<Runner> {
        Flux<Runner> findByRaceAndBibStartingWith(String race, String prefix);
    }

    interface Partitions extends TableRepository<Runner> {
        List<Runner> findByRace(String race);
    }

    private static TableRepositoryFactory<Runner> indexed(int indexes) {
        TableRepositoryFactory<Runner> factory = STORAGE.runners();
        for (int i = 0; i < indexes; i++) {
            factory = factory.index(Index.text("I" + i, Runner::name));
        }
        return factory;
    }

    @Test
    void refusesRangesThatManyIndexesLeaveNoRoomFor() {
        for (Class<?> repository : List.of(RowRange.class, RowPrefixes.class, ReactiveRowPrefixes.class)) {
            check(repository, "(query class row-range): filter: 1", "fewer indexes", indexed(7));
        }
        assertThat(indexed(6).create(RowPrefixes.class)).isNotNull();
        assertThat(indexed(7).create(Partitions.class)).isNotNull();
    }

    interface HashedRows extends TableRepository<Member> {
        List<Member> findByRaceAndFamily(String race, String family);
    }

    @Test
    void refusesAPrefixOfAHashedKey() {
        TableRepositoryFactory<Member> hashed =
                STORAGE.members().rowKey(KeyFormat.hashed(7).escaped("family").escaped("given"));

        assertThatThrownBy(() -> hashed.create(HashedRows.class))
                .hasMessageContaining("the row key begins with a hash of all its parts");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // as a careless application does
    void refusesAnInterfaceWithoutEntities() {
        assertThatThrownBy(() -> STORAGE.runners().create((Class) TableRepository.class))
                .isInstanceOf(StowlineConfigurationException.class)
                .hasMessageContaining("is no repository of one type of entities");
    }

    interface Plain extends TableRepository<Runner> {}

    @Test
    void refusesTwoIndexesOfOneName() {
        TableRepositoryFactory<Runner> twice =
                STORAGE.runners().index(MemoryRunners.AGE).index(MemoryRunners.AGE);

        assertThatThrownBy(() -> twice.create(Plain.class))
                .isInstanceOf(StowlineConfigurationException.class)
                .hasMessageContaining("over the table 'runners' cannot be made: ");
    }

    interface ReactiveOne extends ReactiveTableRepository<Runner> {
        Mono<Runner> findByRace(String race);
    }

    @Test
    void refusesAMonoOfAPartition() {
        StowlineConfigurationException refused = catchThrowableOfType(
                StowlineConfigurationException.class, () -> STORAGE.runners().create(ReactiveOne.class));

        assertThat(refused.action()).contains("Flux<Runner> or Mono<Query.Page<Runner>>");
    }
}
