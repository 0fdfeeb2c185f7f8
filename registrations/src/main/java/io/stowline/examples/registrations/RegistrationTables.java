package io.stowline.examples.registrations;

import io.stowline.spring.boot.autoconfigure.StowlineBeans;

/** The tables and the queue of the application, which become beans. */
class RegistrationTables extends StowlineBeans {

    @Override
    protected void declare() {
        table("runners", Runner.class);
        table("races", RaceSettings.class);
        table("imports", ImportSummary.class);
        table("confirmations", Confirmation.class);
        queue("confirmations", Confirmation.Job.class);
    }
}
