package io.stowline.examples.registrations;

import io.stowline.outcome.WriteResult;
import io.stowline.spring.boot.web.EntityTag;
import io.stowline.spring.boot.web.IfMatch;
import io.stowline.spring.boot.web.PageParameters;
import io.stowline.spring.boot.web.PageResponse;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.table.StoredEntity;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
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
        return ResponseEntity.created(location(runner))
                .headers(EntityTag.of(written.etag()))
                .body(runner);
    }

    /** Returns a registration with its tag. Spring responds with 304 if the tag is that of {@code If-None-Match}. */
    @GetMapping("/{race}/{bib}")
    ResponseEntity<Runner> get(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib) {
        return EntityTag.ok(runners.get(race, bib));
    }

    @PutMapping("/{race}/{bib}")
    ResponseEntity<Runner> change(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib,
            IfMatch ifMatch,
            @RequestBody @Valid Runner changed) {
        StoredEntity<Runner> stored = ifMatch.check(runners.get(race, bib));
        if (!changed.race().equals(race)) {
            throw ProblemException.invalid("race", changed.race(), race + " as in the address");
        }
        if (!changed.email().equals(stored.value().email())) {
            throw ProblemException.invalid(
                    "email", changed.email(), stored.value().email() + " as registered");
        }
        races.check(changed);
        WriteResult written = runners.replace(stored, changed);
        return ResponseEntity.ok()
                .location(location(changed))
                .headers(EntityTag.of(written.etag()))
                .body(changed);
    }

    @DeleteMapping("/{race}/{bib}")
    ResponseEntity<Void> withdraw(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib,
            IfMatch ifMatch) {
        runners.delete(ifMatch.check(runners.get(race, bib)));
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/{race}")
    ResponseEntity<PageResponse<Runner>> list(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race, PageParameters page) {
        return page.response(page.of(runners.inRace(race)));
    }

    @GetMapping("/{race}/by-age")
    List<Runner> aged(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @RequestParam @Min(0) @Max(120) int from,
            @RequestParam @Min(0) @Max(120) int to,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1_000) int size) {
        if (from > to) {
            throw ProblemException.invalid("from", from, "at most 'to', which is " + to);
        }
        return runners.aged(race, from, to, size);
    }

    private static URI location(Runner runner) {
        return ServletUriComponentsBuilder.fromCurrentContextPath()
                .path("/registrations/{race}/{bib}")
                .build(runner.race(), runner.bib());
    }
}
