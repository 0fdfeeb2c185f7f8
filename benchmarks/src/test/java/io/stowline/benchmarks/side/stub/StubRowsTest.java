package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stowline.benchmarks.side.work.Metadata;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StubRowsTest {

    private static final Order ORDER = Orders.order(3);

    @Test
    void sayNothingBesideTheValuesWithoutMetadata() throws IOException {
        assertThat(names(Metadata.NONE)).hasSize(13).noneMatch(name -> name.contains("odata"));
    }

    @Test
    void sayTheTypesWithMinimalMetadata() throws IOException {
        assertThat(names(Metadata.MINIMAL))
                .contains("odata.metadata", "number@odata.type", "placed@odata.type")
                .doesNotContain("odata.etag", "Timestamp@odata.type", "total@odata.type");
    }

    @Test
    void sayAddressAndETagWithFullMetadata() throws IOException {
        assertThat(names(Metadata.FULL))
                .contains("odata.type", "odata.id", "odata.etag", "odata.editLink", "Timestamp@odata.type");
    }

    @Test
    void holdWhatIsSelectedAlone() throws IOException {
        JsonNode page = json(new StubRows(Metadata.NONE, Orders.BRIEF).page(List.of(ORDER, Orders.order(4))));

        assertThat(page.get("value")).hasSize(2);
        assertThat(page.get("value").get(0).toString())
                .isEqualTo("{\"customer\":\"" + ORDER.customer() + "\",\"quantity\":4}");
    }

    @Test
    void refuseAPropertyThatIsNotThere() {
        assertThatThrownBy(() -> new StubRows(Metadata.NONE, List.of("colour")).entity(ORDER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour");
    }

    private static List<String> names(Metadata level) throws IOException {
        List<String> names = new ArrayList<>();
        json(new StubRows(level, List.of()).entity(ORDER)).fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }
}
