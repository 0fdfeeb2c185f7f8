package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@StowlineTest(
        properties = {
            "stowline.accounts.eu1.account-name=configured1",
            "stowline.accounts.eu2.account-name=configured2",
            "stowline.ring.accounts=eu1,eu2"
        })
class RingSliceTest {

    @Autowired
    StowlineRing ring;

    @Test
    void theAccountsOfTheRingAreThoseOfTheEmulator() {
        RingTable<Runner> runners = ring.table("ringrunners", Runner.class);
        runners.createIfMissing();
        Set<String> accounts = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            runners.insertOrReplace(new Runner("race " + i, "1", "Ann"));
            accounts.add(runners.accountOf("race " + i));
        }

        assertThat(runners.query().count()).isEqualTo(10);
        assertThat(accounts).containsExactly("eu1", "eu2");
    }
}
