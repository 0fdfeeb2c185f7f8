package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.stowline.Stowline;
import io.stowline.spring.boot.web.WebApplication.Runner;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PageParametersTest {

    private static final int RUNNERS = 25;
    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);

    private static WebApplication application;

    @RestController
    static class RunnerController {

        private final IndexedTable<Runner> runners;
        private final Table<Runner> archived;

        RunnerController(Stowline stowline, @Qualifier("archive") Stowline archive) {
            this.runners = stowline.table("runners", Runner.class).indexed(AGE);
            this.archived = archive.table("runners", Runner.class);
        }

        @GetMapping("/runners/{race}")
        ResponseEntity<PageResponse<Runner>> list(@PathVariable String race, PageParameters page) {
            return page.response(page.of(runners.query().partition(race)));
        }

        @GetMapping("/archive/{race}")
        ResponseEntity<PageResponse<Integer>> archived(@PathVariable String race, PageParameters page) {
            Query.Page<StoredEntity<Runner>> found =
                    page.stored(archived.query().partition(race));
            return page.response(new Query.Page<>(
                    found.values().stream().map(stored -> stored.value().age()).toList(), found.nextToken()));
        }

        @GetMapping("/by-age/{race}")
        ResponseEntity<PageResponse<Runner>> byAge(@PathVariable String race, PageParameters page) {
            return page.response(page.of(runners, IndexLookup.all(AGE, race)));
        }

        @GetMapping("/parameters")
        String parameters(PageParameters page) {
            return page.token().orElse("none") + " " + page.size();
        }
    }

    @BeforeAll
    static void start() {
        application = new WebApplication(Map.of(), RunnerController.class);
        fill(application);
    }

    private static void fill(WebApplication application) {
        RunnerController controller = application.bean(RunnerController.class);
        Table<Runner> table = application.bean(Stowline.class).table("runners", Runner.class);
        table.create();
        controller.archived.create();
        for (int i = 0; i < RUNNERS; i++) {
            Runner runner = new Runner("2026", "%03d".formatted(i), 20 + i);
            controller.runners.insert(runner);
            controller.archived.insert(runner);
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static MockHttpServletResponse send(String address) throws Exception {
        return application.send(get(URI.create(address)));
    }

    private static JsonNode body(MockHttpServletResponse response) throws Exception {
        return JsonMapper.shared().readTree(response.getContentAsString());
    }

    private static String next(MockHttpServletResponse response) throws Exception {
        JsonNode next = body(response).get("next");
        String address = next.isNull() ? null : next.asString();
        assertThat(response.getHeader("Link")).isEqualTo(address == null ? null : "<" + address + ">; rel=\"next\"");
        return address;
    }

    @ParameterizedTest
    @CsvSource({"/runners/2026,10", "/archive/2026,10", "/by-age/2026,10", "/runners/2026,25", "/by-age/2026,1"})
    @DisplayName("next leads over all pages, of queries and lookups, in both accounts")
    void pages(String path, int size) throws Exception {
        List<Integer> ages = new ArrayList<>();
        String next = path + "?size=" + size;
        while (next != null) {
            MockHttpServletResponse response = send(next);
            assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(200);
            JsonNode values = body(response).get("values");
            assertThat(values.size()).isLessThanOrEqualTo(size);
            values.forEach(value ->
                    ages.add(value.isInt() ? value.asInt() : value.get("age").asInt()));
            next = next(response);
            assertThat(next == null || next.startsWith(path + "?size=" + size + "&page="))
                    .isTrue();
        }
        assertThat(ages).hasSize(RUNNERS).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("tokens belong to their list")
    void foreignTokens() throws Exception {
        String next = next(send("/runners/2026?size=1"));
        String token = next.substring(next.indexOf("page=") + "page=".length());

        for (String list : List.of("/runners/2025", "/by-age/2026", "/archive/2025")) {
            MockHttpServletResponse response = send(list + "?page=" + token);
            assertThat(response.getStatus()).as(list).isEqualTo(400);
            JsonNode problem = body(response);
            assertThat(problem.get("type").asString()).isEqualTo("/problems/invalid-input");
            assertThat(problem.get("name").asString()).isEqualTo("page");
            assertThat(problem.get("value").asString()).isEqualTo(token);
            assertThat(problem.get("limit").asString()).isEqualTo("the token of a page of this list");
        }
    }

    @Test
    @DisplayName("a token whose place the service refuses is a 400, and the same refusal without a token is not")
    void anAlteredToken() throws Exception {
        for (String list : List.of("/runners/2026", "/archive/2026")) {
            MemoryStorage storage = list.startsWith("/runners") ? application.main : application.archive;
            String own = next(send(list + "?size=1"));

            storage.refuseNext("GET", "runners", 400, "InvalidInput");
            MockHttpServletResponse response = send(own);
            assertThat(response.getStatus()).isEqualTo(400);
            assertThat(body(response).get("name").asString()).isEqualTo("page");

            storage.refuseNext("GET", "runners", 400, "InvalidInput");
            assertThat(send(list + "?size=1").getStatus()).isEqualTo(500);
            assertThat(send(own).getStatus()).isEqualTo(200);
        }
    }

    @Test
    void entitiesWithTheirEtagsHaveNoBody() {
        PageParameters page = new PageParameters(new PageAddress("/runners", null, "page"), null, 10);
        Query.Page<StoredEntity<Runner>> stored =
                new Query.Page<>(List.of(StoredEntity.of(new Runner("2026", "1", 20), "\"e\"")), Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> page.response(stored))
                .withMessageContaining("StoredEntity");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "%00", "x%0d%0aX:%20y", "AQ", "AAAAAAAA", "%E2%82%AC", "..%2F", "AQAAAAA="})
    void aBadTokenIsA400(String token) throws Exception {
        MockHttpServletResponse response = send("/runners/2026?page=" + token);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(body(response).get("name").asString()).isEqualTo("page");
        assertThat(body(response).get("detail").asString()).matches("\\P{Cntrl}*");
        assertThat(send("/by-age/2026?page=" + token).getStatus()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1001", "2147483648", "1e3", "1.0", "+-1", "ten", "%20", "0x10", "1%00"})
    void aBadSizeIsA400(String size) throws Exception {
        MockHttpServletResponse response = send("/runners/2026?size=" + size);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(body(response).get("name").asString()).isEqualTo("size");
        assertThat(body(response).get("limit").asString()).isEqualTo("a number from 1 to 1000");
    }

    @Test
    void defaultsAndRepeatedParameters() throws Exception {
        assertThat(send("/parameters").getContentAsString()).isEqualTo("none 100");
        assertThat(send("/parameters?page=&size=").getContentAsString()).isEqualTo("none 100");
        assertThat(send("/parameters?size=1000&page=x").getContentAsString()).isEqualTo("x 1000");
        assertThat(send("/parameters?size=1&size=2").getStatus()).isEqualTo(400);
        assertThat(send("/parameters?page=a&page=b").getStatus()).isEqualTo(400);
    }

    @Test
    void namesAndLimitsAreProperties() throws Exception {
        try (WebApplication own = new WebApplication(
                Map.of(
                        "stowline.web.page.token-parameter", "after",
                        "stowline.web.page.size-parameter", "limit",
                        "stowline.web.page.default-size", "2",
                        "stowline.web.page.max-size", "3"),
                RunnerController.class)) {
            fill(own);
            MockHttpServletResponse first = own.send(get("/runners/2026"));
            assertThat(body(first).get("values").size()).isEqualTo(2);
            assertThat(next(first)).startsWith("/runners/2026?after=");
            assertThat(own.send(get("/runners/2026?limit=4")).getContentAsString())
                    .contains("limit must be a number from 1 to 3, not 4");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null", textBlock = """
        /runners/2026        | null                  | /runners/2026?page=T
        /runners/2026        | ``                    | /runners/2026?page=T
        /runners/2026        | page=old              | /runners/2026?page=T
        /runners/2026        | size=5&page=old&x=y   | /runners/2026?size=5&x=y&page=T
        /runners/2026        | pag%65=old&size=5     | /runners/2026?size=5&page=T
        /runners/2026        | page&pages=1          | /runners/2026?pages=1&page=T
        /runners/2026        | &&x&&                 | /runners/2026?x&page=T
        /runners/2026        | q=a%20b+c             | /runners/2026?q=a%20b+c&page=T
        /runners/2026        | q=%zz%                | /runners/2026?q=%25zz%25&page=T
        /runners/2026        | q=<a>"{}^\\          | /runners/2026?q=%3Ca%3E%22%7B%7D%5E%5C&page=T
        /runners/20 26       | q=é                   | /runners/20%2026?q=%C3%A9&page=T
        //evil.example/x     | null                  | /evil.example/x?page=T
        ///evil.example/x    | null                  | /evil.example/x?page=T
        /a%2Fb;v=1           | null                  | /a%2Fb;v=1?page=T
        """)
    @DisplayName("the address of the next page is a path of this host, whatever the request was")
    void addresses(String path, String query, String next) {
        PageParameters page = new PageParameters(new PageAddress(path, query, "page"), null, 5);

        assertThat(page.next(new Query.Page<>(List.of(), Optional.of("T")))).contains(URI.create(next));
        assertThat(page.next(new Query.Page<>(List.of(), Optional.empty()))).isEmpty();
    }
}
