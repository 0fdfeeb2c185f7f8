package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.table.Query;
import io.stowline.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages whose tokens leave the process, and counts. */
class ResultPageIT extends StorageTest {

    private Table<Runner> runners;
    private Query<Runner> full;

    @BeforeEach
    void fill() {
        runners = freshTable(Runner.class);
        try (var writer = runners.writer()) {
            IntStream.range(0, 230).mapToObj(i -> Runner.of("full", i)).forEach(writer::insert);
            IntStream.range(0, 30).mapToObj(i -> Runner.of("half", i)).forEach(writer::insert);
        }
        full = runners.query().partition("full");
    }

    @Test
    void pagesGiveEveryResultOnceInEveryProcess() {
        List<Runner> read = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            try (Stowline other = client(connectionString())) {
                Query<Runner> again = other.table(runners.name(), Runner.class)
                        .query()
                        .partition("full")
                        .pageSize(50);
                Query.Page<Runner> page = token.isEmpty() ? again.page() : again.page(token.get());
                read.addAll(page.values());
                sizes.add(page.values().size());
                token = page.nextToken();
            }
        } while (token.isPresent());

        assertThat(read).isEqualTo(full.list());
        assertThat(sizes).containsExactly(50, 50, 50, 50, 30);
    }

    @Test
    void theReactiveFaceGivesTheSamePages() {
        Query.Page<Runner> first = full.pageSize(40).page();
        var reactive = runners.reactive().query().partition("full").pageSize(40);

        assertThat(reactive.page().block()).isEqualTo(first);
        String token = first.nextToken().orElseThrow();
        assertThat(reactive.page(token).block()).isEqualTo(full.pageSize(40).page(token));
    }

    @Test
    void pageSizeAndTypeMayChange() {
        record Name(String name) {}
        String token = full.pageSize(10).page().nextToken().orElseThrow();

        assertThat(full.as(Name.class).pageSize(3).page(token).values())
                .containsExactly(new Name("Runner 10"), new Name("Runner 11"), new Name("Runner 12"));
    }

    @Test
    void tokensOfOtherQueriesAreRefused() {
        String token = full.pageSize(10).page().nextToken().orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.query().partition("half").page(token))
                .withMessageContaining("another query");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> full.where(runners.property("age").atLeast(30)).page(token))
                .withMessageContaining("another query");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AQAAAAA", "%%%", "AAAAAAAAAAAAAAAAAAAA", "grüße"})
    void whatIsNoTokenIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> full.page(text)).withMessageContaining("page token");
    }

    @Test
    void whatHasNoTokensIsRefused() {
        assertThatIllegalStateException().isThrownBy(() -> full.limit(3).page()).withMessageContaining("pageSize");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        runners.query().partitions(List.of("full", "half")).page())
                .withMessageContaining("divided");
    }

    @Test
    void counts() {
        assertThat(full.count()).isEqualTo(230);
        assertThat(runners.query().count()).isEqualTo(260);
        assertThat(full.where(runners.property("age").lessThan(20)).count()).isZero();
        assertThat(full.limit(7).count()).isEqualTo(7);
        assertThat(runners.query().partitions(List.of("full", "half")).count()).isEqualTo(260);
        assertThat(runners.reactive().query().partition("half").count().block()).isEqualTo(30);
    }
}
