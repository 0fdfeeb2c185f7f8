package io.stowline.spring.boot.test;

import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import org.springframework.stereotype.Service;

/** A component that a scan finds. */
@Service
class Registrations {

    private final Table<Runner> runners;

    Registrations(Table<Runner> runners) {
        this.runners = runners;
    }

    void register(Runner runner) {
        runners.insert(runner);
    }
}
