package io.stowline.advisor.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stowline.advisor.Practice;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The JSON of a report, read by another parser. */
class ReportJsonTest {

    private static JsonNode json(String name) throws JsonProcessingException {
        return new ObjectMapper().readTree(SampleReport.of(name).json());
    }

    @Test
    void hasTheReport() throws JsonProcessingException {
        JsonNode json = json("runners");

        assertThat(json.get("at").asText()).isEqualTo("2026-11-29T00:26:03Z");
        assertThat(json.get("window").asText()).isEqualTo("PT5M");
        assertThat(json.get("worst").asText()).isEqualTo("ERROR");
        assertThat(json.get("totals").toString())
                .isEqualTo("{\"clients\":2,\"attempts\":51234,\"failures\":812,\"throttled\":401,"
                        + "\"bytesSent\":123456789,\"bytesReceived\":987654321,\"missed\":12}");
        assertThat(json.get("timeline")).hasSize(10);
        assertThat(json.at("/timeline/4").toString())
                .isEqualTo("{\"start\":\"2026-11-29T00:23:03Z\",\"attempts\":4600,\"failures\":700,\"throttled\":4,"
                        + "\"entities\":26400,\"messages\":200,\"bytes\":10000000}");
        assertThat(json.get("rows")).hasSize(54);
    }

    @Test
    void hasTheFindings() throws JsonProcessingException {
        JsonNode rows = json("runners").get("rows");
        JsonNode keys = rows.get(Practice.T5.ordinal());

        assertThat(keys.get("practice").asText()).isEqualTo("T5");
        assertThat(keys.get("severity").asText()).isEqualTo("WARNING");
        assertThat(keys.at("/evidence/0").toString())
                .isEqualTo("{\"name\":\"writes at the end of the key range\",\"value\":91.2,\"unit\":\"%\","
                        + "\"threshold\":80.0,\"samples\":48210}");
        assertThat(keys.at("/evidence/2").toString())
                .as("JSON has no NaN")
                .isEqualTo("{\"name\":\"without a limit\",\"unit\":\"s\",\"samples\":7}");
        assertThat(keys.get("objects")).hasSize(3);
        assertThat(keys.get("link").asText()).startsWith("https://");
        assertThat(keys.has("suppression")).isFalse();
        assertThat(rows.get(Practice.A5.ordinal()).get("suppression").toString())
                .isEqualTo("{\"reason\":\"we are abroad runners\",\"until\":\"2027-03-01\"}");
    }

    @Property(tries = 150)
    @Label("any name comes back from JSON in ASCII")
    void namesComeBack(@ForAll String name) throws JsonProcessingException {
        String json = SampleReport.of(name).json();

        assertThat(json).matches("[ -~]*").doesNotContain("<");
        assertThat(new ObjectMapper()
                        .readTree(json)
                        .at("/rows/" + Practice.T5.ordinal() + "/objects/2")
                        .asText())
                .isEqualTo(name);
    }
}
