package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.PagedTable.Line;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Pages for callers that go on elsewhere, of a service that sends what it likes. */
class ResultPagesTest {

    private final PagedTable service = new PagedTable().with("p", "a b", "", "c d", "e");
    private final Query<Line> query = service.table().query().partition("p").pageSize(4);

    @Test
    @DisplayName("OUTCOME-8: a short or an empty response with a continuation is not the end of a page")
    void fillsThePage() {
        Query.Page<Line> first = query.page();
        Query.Page<Line> second = query.page(first.nextToken().orElseThrow());

        assertThat(first.values()).extracting(Line::row).containsExactly("a", "b", "c", "d");
        assertThat(second.values()).extracting(Line::row).containsExactly("e");
        assertThat(second.nextToken()).isEmpty();
    }

    @Test
    void theReactiveFaceFillsItToo() {
        ReactiveQuery<Line> reactive =
                service.table().reactive().query().partition("p").pageSize(4);

        Query.Page<Line> first = reactive.page().block();

        assertThat(first).isEqualTo(query.page());
        assertThat(reactive.page(first.nextToken().orElseThrow()).block().values())
                .extracting(Line::row)
                .containsExactly("e");
    }
}
