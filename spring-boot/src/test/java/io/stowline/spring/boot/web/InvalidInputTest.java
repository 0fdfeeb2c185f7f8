package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import io.stowline.Stowline;
import io.stowline.blob.BlobInfo;
import io.stowline.spring.boot.repository.TableRepository;
import io.stowline.spring.boot.repository.TableRepositoryFactory;
import io.stowline.spring.boot.resource.BlobResource;
import io.stowline.spring.boot.resource.BlobResources;
import io.stowline.spring.boot.resource.BlobResponse;
import io.stowline.spring.boot.resource.StowlineResourceAutoConfiguration;
import io.stowline.spring.boot.web.WebApplication.Runner;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.Query;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.io.Resource;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Values of requests that the library refuses, and blobs that are missing: each is a problem, in both accounts. */
class InvalidInputTest {

    private static WebApplication application;

    interface Runners extends TableRepository<Runner> {
        Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);

        List<Runner> findByRaceAndAgeBetween(String race, int youngest, int oldest);

        List<Runner> findByRaceAndBibBetween(String race, String first, String last);

        List<Runner> findByRaceAndBibStartingWith(String race, String prefix);

        Query.Page<Runner> findByRace(String race, int size, Optional<String> token);
    }

    @RestController
    static class RunnerController {

        private final Map<String, Stowline> clients;
        private final BlobResources resources;

        RunnerController(Stowline stowline, @Qualifier("archive") Stowline archive, BlobResources resources) {
            this.clients = Map.of("main", stowline, "archive", archive);
            this.resources = resources;
        }

        private Runners runners(String account) {
            return TableRepositoryFactory.of(clients.get(account).table("runners", Runner.class))
                    .index(Runners.AGE)
                    .create(Runners.class);
        }

        @GetMapping("/{account}/by-age")
        ResponseEntity<PageResponse<Runner>> byAge(
                @PathVariable String account, @RequestParam int from, @RequestParam int to, PageParameters page) {
            return page.response(page.of(runners(account).indexed(), IndexLookup.range(Runners.AGE, "2026", from, to)));
        }

        @GetMapping("/{account}/ages")
        List<Runner> ages(@PathVariable String account, @RequestParam int from, @RequestParam int to) {
            return runners(account).findByRaceAndAgeBetween("2026", from, to);
        }

        @GetMapping("/{account}/bibs")
        List<Runner> bibs(@PathVariable String account, @RequestParam String from, @RequestParam String to) {
            return runners(account).findByRaceAndBibBetween("2026", from, to);
        }

        @GetMapping("/{account}/prefix")
        List<Runner> prefix(@PathVariable String account, @RequestParam String prefix) {
            return runners(account).findByRaceAndBibStartingWith("2026", prefix);
        }

        @GetMapping("/{account}/sized")
        List<Runner> sized(@PathVariable String account, @RequestParam int rows) {
            return runners(account).findByRace("2026", rows, Optional.empty()).values();
        }

        @GetMapping("/{account}/runners/{bib}")
        ResponseEntity<Runner> find(@PathVariable String account, @PathVariable String bib) {
            return EntityTag.ok(runners(account).find("2026", bib));
        }

        @PutMapping("/{account}/runners/{bib}/{age}")
        void add(@PathVariable String account, @PathVariable String bib, @PathVariable int age) {
            runners(account).insert(new Runner("2026", bib, age));
        }

        @PutMapping("/{account}/orders/{size}")
        void order(@PathVariable String account, @PathVariable int size) {
            clients.get(account).queue("orders").send("x".repeat(size));
        }

        @GetMapping("/{account}/photos")
        ResponseEntity<Resource> photo(
                @PathVariable String account, @RequestParam String name, RequestEntity<Void> request)
                throws IOException {
            String scheme = account.equals("main") ? "azure-blob" : "archive-blob";
            BlobResource photos = resources.resource(scheme + "://photos/");
            return BlobResponse.of(photos.createRelative(name), request);
        }

        @GetMapping("/{account}/photos/info")
        long info(@PathVariable String account, @RequestParam String name) {
            BlobInfo info = clients.get(account).container("photos").info(name);
            return info.size();
        }
    }

    @BeforeAll
    static void start() {
        application = new WebApplication(
                Map.of("stowline.accounts.archive.resource-scheme", "archive-blob"),
                StowlineResourceAutoConfiguration.class,
                RunnerController.class);
        for (Stowline client : application.bean(RunnerController.class).clients.values()) {
            client.table("runners").create();
            client.container("photos").create();
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static MockHttpServletResponse send(RequestBuilder request) throws Exception {
        return application.mvc.perform(request).andReturn().getResponse();
    }

    private static int sent() {
        return application.main.requests().size()
                + application.archive.requests().size();
    }

    private static JsonNode problem(MockHttpServletResponse response, ProblemType type) throws Exception {
        assertThat(response.getStatus()).isEqualTo(type.status().value());
        JsonNode problem = JsonMapper.shared().readTree(response.getContentAsString());
        assertThat(problem.get("type").asString()).isEqualTo("/problems/" + type.ending());
        assertThat(problem.get("detail").asString()).doesNotContain("memory", "runners", "photos", "secret");
        return problem;
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /by-age?from=0&to=1000, index AGE: 1000 is out of 0 to 999",
        "GET, /by-age?from=-1&to=10, index AGE: -1 is out of 0 to 999",
        "GET, /by-age?from=50&to=20, the range of the index AGE",
        "GET, /ages?from=0&to=1000, index AGE: 1000 is out of 0 to 999",
        "GET, /ages?from=50&to=20, the range of the index AGE",
        "GET, /bibs?from=secret9&to=secret1, the range of row keys",
        "GET, /prefix?prefix=, filter on RowKey: the prefix is empty",
        "GET, /sized?rows=5000, 'pageSize is 1 to 1000, not 5000'",
        "GET, /runners/AGE:001!secret, RowKey: it begins with",
        "PUT, /runners/AGE:001!secret/1, RowKey: it begins with",
        "PUT, /runners/1/1000, index AGE: 1000 is out of 0 to 999",
        "PUT, /orders/80000, the message of 80000 bytes",
        "GET, /photos/info?name=../secret, the segment '..' in a blob name",
        "GET, /photos?name=../secret, blob name: it leads out of its container"
    })
    @DisplayName("a value that cannot work is a 400 with its role, and nothing is sent")
    void refused(String method, String path, String detail) throws Exception {
        for (String account : List.of("main", "archive")) {
            int before = sent();
            MockHttpServletResponse response =
                    send(method.equals("GET") ? get("/" + account + path) : put("/" + account + path));

            assertThat(problem(response, ProblemType.INVALID_INPUT)
                            .get("detail")
                            .asString())
                    .startsWith(detail);
            assertThat(sent()).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("the same requests within the limits work")
    void allowed() throws Exception {
        assertThat(send(put("/main/runners/1/999")).getStatus()).isEqualTo(200);
        assertThat(send(get("/main/by-age?from=0&to=999")).getStatus()).isEqualTo(200);
        assertThat(send(get("/main/ages?from=999&to=999")).getContentAsString()).contains("\"bib\":\"1\"");
        assertThat(send(get("/main/bibs?from=1&to=1")).getContentAsString()).contains("\"bib\":\"1\"");
        assertThat(send(get("/main/sized?rows=1000")).getStatus()).isEqualTo(200);
    }

    @Test
    @DisplayName("a missing blob is a problem, as a missing row is")
    void missingBlob() throws Exception {
        for (String account : List.of("main", "archive")) {
            problem(send(get("/" + account + "/photos?name=secret.jpg")), ProblemType.NOT_FOUND);
            problem(send(get("/" + account + "/photos?name=")), ProblemType.NOT_FOUND);
            assertThat(send(get("/" + account + "/photos?name=secret.jpg").accept("image/jpeg"))
                            .getStatus())
                    .isEqualTo(404);
        }
    }
}
