package io.stowline.examples.registrations;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The confirmations of a registration. */
@RestController
@RequestMapping("/registrations/{race}/{bib}/confirmations")
class ConfirmationController {

    private final Runners runners;
    private final Confirmations confirmations;

    ConfirmationController(Runners runners, Confirmations confirmations) {
        this.runners = runners;
        this.confirmations = confirmations;
    }

    @GetMapping
    List<Confirmation> list(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib) {
        return confirmations.of(runners.get(race, bib).value());
    }

    /** Has one more sent. */
    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    void request(
            @PathVariable @Pattern(regexp = RaceSettings.NAME) String race,
            @PathVariable @Min(1) @Max(99_999) int bib) {
        confirmations.request(runners.get(race, bib).value());
    }
}
