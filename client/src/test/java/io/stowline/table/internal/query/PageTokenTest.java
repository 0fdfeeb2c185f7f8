package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.internal.request.QueryPage.Continuation;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

class PageTokenTest {

    @Property
    void goesThereAndBack(
            @ForAll String query,
            @ForAll @StringLength(max = 1024) String partition,
            @ForAll @StringLength(max = 1024) String row) {
        Continuation next = new Continuation(partition, row, null);
        Continuation withoutRow = new Continuation(partition, null, null);

        assertThat(PageToken.continuation(query, PageToken.of(query, next))).isEqualTo(next);
        assertThat(PageToken.continuation(query, PageToken.of(query, withoutRow)))
                .isEqualTo(withoutRow);
        assertThat(PageToken.of(query, next)).matches("[A-Za-z0-9_-]+");
    }

    @Property
    void anyOtherTextIsRefusedByName(@ForAll String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PageToken.continuation("q", text))
                .withMessageContaining("page token");
    }

    @Property(tries = 200)
    void aCutTokenIsRefused(@ForAll @StringLength(min = 1, max = 40) String key) {
        String token = PageToken.of("q", new Continuation(key, key, null));

        for (int cut = 0; cut < token.length(); cut++) {
            String shorter = token.substring(0, cut);
            assertThatIllegalArgumentException().isThrownBy(() -> PageToken.continuation("q", shorter));
        }
    }
}
