package io.stowline.examples.registrations;

import io.stowline.caching.Freshness;
import io.stowline.examples.registrations.RaceSettings.Rules;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.table.CachedTable;
import io.stowline.table.Table;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * The races and their rules. Each registration reads the rules of its race from the cache, which reads the storage once
 * in 30 seconds, and continues with the cached rules if the storage does not respond.
 */
@Component
class Races {

    private static final Freshness FRESHNESS =
            Freshness.fresh(Duration.ofSeconds(30)).staleIfError(Duration.ofHours(1));

    private final Table<RaceSettings> table;
    private final CachedTable<RaceSettings> cached;
    private final Clock clock;

    Races(Table<RaceSettings> table, Clock clock) {
        this.table = table;
        this.cached = table.cached(FRESHNESS);
        this.clock = clock;
    }

    void put(String race, Rules rules) {
        table.insertOrReplace(RaceSettings.of(race, rules));
    }

    Rules rules(String race) {
        return cached.find(race, RaceSettings.RULES)
                .value()
                .map(stored -> stored.value().rules())
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no race " + race));
    }

    /** Refuses a runner whom the race does not take. */
    void check(Runner runner) {
        Rules rules = rules(runner.race());
        if (!rules.openAt(clock.instant())) {
            throw new RegistrationClosedException(rules);
        }
        if (runner.bib() > rules.capacity()) {
            throw ProblemException.invalid("bib", runner.bib(), "at most " + rules.capacity() + " in this race");
        }
    }
}
