package io.stowline.examples.registrations;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Registrations one by one, and lists of them. */
@RestController
@RequestMapping("/registrations")
class RunnerController {

    private final Runners runners;
    private final Races races;
    private final Confirmations confirmations;

    RunnerController(Runners runners, Races races, Confirmations confirmations) {
        this.runners = runners;
        this.races = races;
        this.confirmations = confirmations;
    }

    @PostMapping
    ResponseEntity<Runner> register(@RequestBody @Valid Runner runner) {
        races.check(runner);
        WriteResult written = runners.insert(runner);
        confirmations.requestIfPossible(runner);
        return VersionTag.on(ResponseEntity.created(location(runner)), written.etag())
                .body(runner);
    }

    /** Returns a registration with its tag. Spring responds with 304 if the tag is that of {@code If-None-Match}. */
    @GetMapping("/{race}/{bib}")
    ResponseEntity<Runner> get(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib) {
        StoredEntity<Runner> stored = runners.get(race, bib);
        return VersionTag.on(ResponseEntity.ok(), stored.etag()).body(stored.value());
    }

    @PutMapping("/{race}/{bib}")
    ResponseEntity<Runner> change(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestBody @Valid Runner changed) {
        VersionTag expected = VersionTag.required(ifMatch);
        StoredEntity<Runner> stored = expected.check(runners.get(race, bib));
        if (!changed.race().equals(race)) {
            throw ProblemType.invalid("race", changed.race(), race + " as in the address", null);
        }
        if (!changed.email().equals(stored.value().email())) {
            throw ProblemType.invalid("email", changed.email(), stored.value().email() + " as registered", null);
        }
        races.check(changed);
        WriteResult written = runners.replace(stored, changed);
        ResponseEntity.BodyBuilder response = ResponseEntity.ok().location(location(changed));
        return VersionTag.on(response, written.etag()).body(changed);
    }

    @DeleteMapping("/{race}/{bib}")
    ResponseEntity<Void> withdraw(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        VersionTag expected = VersionTag.required(ifMatch);
        runners.delete(expected.check(runners.get(race, bib)));
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/{race}")
    ResponseEntity<RunnerPage> list(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1_000) int size) {
        Query.Page<Runner> found = runners.page(race, page, size);
        if (found.nextToken().isEmpty()) {
            return ResponseEntity.ok(new RunnerPage(found.values(), null));
        }
        URI next = ServletUriComponentsBuilder.fromCurrentRequest()
                .replaceQueryParam("page", found.nextToken().get())
                .build(true)
                .toUri();
        return ResponseEntity.ok()
                .header(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"")
                .body(new RunnerPage(found.values(), next));
    }

    @GetMapping("/{race}/by-age")
    List<Runner> aged(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @RequestParam @Min(0) @Max(120) int from,
            @RequestParam @Min(0) @Max(120) int to,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1_000) int size) {
        if (from > to) {
            throw ProblemType.invalid("from", from, "at most 'to', which is " + to, null);
        }
        return runners.aged(race, from, to, size);
    }

    private static URI location(Runner runner) {
        return ServletUriComponentsBuilder.fromCurrentContextPath()
                .path("/registrations/{race}/{bib}")
                .build(runner.race(), runner.bib());
    }

    /**
     * A page of a list.
     *
     * @param runners the runners, in the order of their addresses
     * @param next the address of the next page; null at the end
     */
    record RunnerPage(List<Runner> runners, @Nullable URI next) {}
}
