package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.filter.Filter;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.QueryPage.Continuation;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QuerySpecTest {

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts();
    }

    private static QuerySpec filtered(String filter) {
        return new QuerySpec(filter, null, MetadataLevel.NONE, null, null, QueryClass.PARTITION, true, null, 0);
    }

    @Test
    void nothingRequestedIsNoQuery() {
        assertThat(filtered(null).toQueryString(null)).isEmpty();
    }

    @Test
    @DisplayName("MAP-4: filter, selection and page size, each encoded")
    void encodesEverything() {
        QuerySpec spec = new QuerySpec(
                "Name eq 'O''Neil & Co'",
                List.of("RowKey", "Größe"),
                MetadataLevel.NONE,
                50,
                null,
                QueryClass.PARTITION,
                true,
                null,
                0);

        assertThat(spec.toQueryString(null))
                .isEqualTo(
                        "?$filter=Name%20eq%20%27O%27%27Neil%20%26%20Co%27&$select=RowKey%2CGr%C3%B6%C3%9Fe&$top=50");
    }

    @Test
    @DisplayName("MAP-5: a further page repeats everything and adds the token")
    void furtherPageRepeatsEverything() {
        QuerySpec spec =
                new QuerySpec("a eq 1", List.of("a"), MetadataLevel.NONE, 5, null, QueryClass.PARTITION, true, null, 0);

        assertThat(spec.toQueryString(new Continuation("p", "", null)))
                .isEqualTo(spec.toQueryString(null) + "&NextPartitionKey=p&NextRowKey=");
    }

    @Property
    @Label("MAP-4: no text gets out of its literal on the way to the wire")
    void textStaysInItsLiteral(@ForAll("texts") String text) {
        String filter = Filter.property("Name").equalTo(text).toOData();
        String query = filtered(filter).toQueryString(null);

        assertThat(query.substring("?$filter=".length())).doesNotContain("&", "'", " ", "#", "+", "?");
        assertThat(URLDecoder.decode(query.substring("?$filter=".length()), StandardCharsets.UTF_8))
                .isEqualTo("Name eq '" + text.replace("'", "''") + "'");
    }
}
