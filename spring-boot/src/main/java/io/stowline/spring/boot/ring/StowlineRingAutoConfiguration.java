package io.stowline.spring.boot.ring;

import io.stowline.Stowline;
import io.stowline.ring.RingAccount;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * An auto-configuration that makes one {@link StowlineRing} over the clients of the accounts that {@code stowline.ring} names, if
 * {@code stowline-ring} is on the class path. The clients stay beans of their own, with their listeners and customizers; the ring does not close them.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, StowlineRing.class})
@Conditional(OnRingCondition.class)
@EnableConfigurationProperties(RingProperties.class)
public final class StowlineRingAutoConfiguration {

    private static final String PREFIX = RingProperties.PREFIX;

    /** Made by Spring. */
    StowlineRingAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StowlineRing stowlineRing(RingProperties properties, AccountClients clients) {
        checkNames(properties);
        try {
            return StowlineRing.of(ring -> {
                ring.region(properties.region()).checkEvery(properties.checkEvery());
                for (String name : properties.accounts()) {
                    ring.account(name, client("accounts", name, clients), account(name, properties));
                }
                for (String name : properties.joining()) {
                    ring.joining(name, client("joining", name, clients), account(name, properties));
                }
                for (String name : properties.leaving()) {
                    ring.leaving(name, client("leaving", name, clients), account(name, properties));
                }
                return ring;
            });
        } catch (IllegalArgumentException e) {
            throw new StowlineConfigurationException(
                    "The ring cannot be made from the properties under '" + PREFIX + "': " + e.getMessage() + ".",
                    "Correct the properties under '" + PREFIX + "'. Each account stands once in '" + PREFIX
                            + ".accounts', '" + PREFIX + ".joining' or '" + PREFIX + ".leaving'.",
                    e);
        }
    }

    private static UnaryOperator<RingAccount.Builder> account(String name, RingProperties properties) {
        return account -> account.weight(properties.weights().getOrDefault(name, 1))
                .region(properties.regions().getOrDefault(name, properties.region()));
    }

    private static Stowline client(String list, String name, AccountClients clients) {
        return clients.named("'" + PREFIX + "." + list + "'", name);
    }

    private static void checkNames(RingProperties properties) {
        Set<String> names = new HashSet<>();
        List.of(properties.accounts(), properties.joining(), properties.leaving())
                .forEach(names::addAll);
        checkNames("regions", properties.regions().keySet(), names);
        checkNames("weights", properties.weights().keySet(), names);
    }

    private static void checkNames(String map, Set<String> keys, Set<String> names) {
        for (String key : new TreeSet<>(keys)) {
            if (!names.contains(key)) {
                throw new StowlineConfigurationException(
                        "The property '" + PREFIX + "." + map + "." + key + "' is for the account '" + key
                                + "', which the ring does not have. Its accounts are " + new TreeSet<>(names) + ".",
                        "Correct the name, or remove the property.");
            }
        }
    }
}
