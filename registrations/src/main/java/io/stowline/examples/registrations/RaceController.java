package io.stowline.examples.registrations;

import io.stowline.examples.registrations.RaceSettings.Rules;
import io.stowline.spring.boot.web.ProblemException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The rules of races. */
@RestController
@RequestMapping("/races/{race}")
class RaceController {

    private final Races races;

    RaceController(Races races) {
        this.races = races;
    }

    @GetMapping
    Rules get(@PathVariable @Pattern(regexp = RaceSettings.NAME) String race) {
        return races.rules(race);
    }

    @PutMapping
    Rules put(@PathVariable @Pattern(regexp = RaceSettings.NAME) String race, @RequestBody @Valid Rules rules) {
        if (!rules.closes().isAfter(rules.opens())) {
            throw ProblemException.invalid("closes", rules.closes(), "after 'opens', which is " + rules.opens());
        }
        races.put(race, rules);
        return rules;
    }
}
