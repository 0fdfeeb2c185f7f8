package io.stowline.spring.boot.ring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the ring, whose accounts have the names that they have below {@code stowline.accounts}; {@code stowline} is the default
 * account. Their names decide on the placements.
 *
 * <p>Immutable and thread-safe.
 *
 * @param accounts Names of the accounts of the ring, as below stowline.accounts.
 * @param joining Names of the accounts that join the ring.
 * @param leaving Names of the accounts that leave the ring.
 * @param region Home region: that of accounts without one, and of the ring without another choice.
 * @param regions Regions of accounts, by the names of the accounts.
 * @param weights Weights of accounts beside the others of their region, by the names of the accounts, from 1 to 1000; 1 unless set.
 * @param checkEvery Time after which the ring is compared with the one that an account describes, up to 30 s.
 */
@ConfigurationProperties(RingProperties.PREFIX)
record RingProperties(
        @DefaultValue List<String> accounts,
        @DefaultValue List<String> joining,
        @DefaultValue List<String> leaving,
        @DefaultValue("default") String region,
        @DefaultValue Map<String, String> regions,
        @DefaultValue Map<String, Integer> weights,
        @DefaultValue("30s") Duration checkEvery) {

    static final String PREFIX = "stowline.ring";

    RingProperties {
        accounts = List.copyOf(accounts);
        joining = List.copyOf(joining);
        leaving = List.copyOf(leaving);
        regions = Map.copyOf(regions);
        weights = Map.copyOf(weights);
    }
}
