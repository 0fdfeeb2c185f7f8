package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;
import io.stowline.caching.ResponseCache;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.AccountProperties.Cache;
import io.stowline.spring.boot.autoconfigure.AccountProperties.Parallelism;
import io.stowline.spring.boot.autoconfigure.AccountProperties.Quota;
import io.stowline.spring.boot.autoconfigure.AccountProperties.RateTargets;
import io.stowline.spring.boot.autoconfigure.AccountProperties.Retry;
import io.stowline.transport.ScalabilityTargets;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.unit.DataSize;

/** A mapper that applies the properties of an account, but for its connection, to the builder of its client. */
final class BuilderProperties {

    private static final Logger LOG = LoggerFactory.getLogger(BuilderProperties.class);
    /** Shorter than an attempt that meets a slow partition. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private final String prefix;
    private final Stowline.Builder builder;

    BuilderProperties(String prefix, Stowline.Builder builder) {
        this.prefix = prefix;
        this.builder = builder;
    }

    void apply(AccountProperties properties) {
        section("", AccountProperties.class, () -> general(properties));
        section(".retry", Retry.class, () -> builder.retry(settings -> retry(properties.retry(), settings)));
        section(".parallelism", Parallelism.class, () -> parallelism(properties.parallelism()));
        section(".quota", Quota.class, () -> quota(properties.quota()));
        section(".rate-targets", RateTargets.class, () -> rateTargets(properties.rateTargets()));
        section(".cache", Cache.class, () -> cache(properties.cache()));
    }

    private void section(String name, Class<? extends Record> properties, Runnable application) {
        try {
            application.run();
        } catch (IllegalArgumentException e) {
            throw new StowlineConfigurationException(
                    "The properties under '" + prefix + name + "' do not fit: "
                            + named(String.valueOf(e.getMessage()), prefix + name, properties),
                    "Correct the value that is named, or remove it to use the default.",
                    e);
        }
    }

    /** A message of a builder begins with its method, which has the name of the property in camel case. */
    private static String named(String message, String section, Class<? extends Record> properties) {
        for (RecordComponent component : properties.getRecordComponents()) {
            String name = component.getName();
            if (message.startsWith(name + " ")) {
                return "'" + section + "." + DataObjectPropertyName.toDashedForm(name) + "'"
                        + message.substring(name.length());
            }
        }
        return message;
    }

    private void general(AccountProperties properties) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::applicationId).to(builder::applicationId);
        map.from(properties::connectionAge).to(builder::connectionAge);
        map.from(properties::clockTolerance).to(builder::clockTolerance);
        map.from(properties::serviceVersion).to(builder::serviceVersion);
        map.from(properties::closeTimeout).to(builder::closeTimeout);
        map.from(properties::readFrom).to(builder::readFrom);
        map.from(properties::scans).to(builder::scans);
        if (properties.allowSasOverHttp()) {
            builder.allowSasOverHttp();
        }
    }

    private RetrySettings.Builder retry(Retry properties, RetrySettings.Builder settings) {
        Duration deadline = properties.deadline();
        if (deadline != null && deadline.compareTo(SHORT) < 0) {
            LOG.warn(
                    "'{}.retry.deadline' is {}: few operations end in that time. A time without a unit is in"
                            + " milliseconds.",
                    prefix,
                    deadline);
        }
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::backoff).as(BackoffPreset::backoff).to(settings::backoff);
        map.from(properties::retries).to(settings::retries);
        map.from(properties::deadline).to(settings::deadline);
        map.from(properties::attemptTimeout).to(settings::attemptTimeout);
        map.from(properties::serverTimeout).to(settings::serverTimeout);
        return settings;
    }

    private void parallelism(Parallelism properties) {
        Integer fixed = properties.fixed();
        if (fixed != null) {
            if (properties.adapts()) {
                throw new IllegalArgumentException("'fixed' is set beside a setting of adaptive parallelism");
            }
            builder.parallelism(fixed);
        } else if (properties.adapts()) {
            ParallelismSettings.Builder settings = ParallelismSettings.builder();
            PropertyMapper map = PropertyMapper.get();
            map.from(properties::start).to(settings::start);
            map.from(properties::min).to(settings::min);
            map.from(properties::max).to(settings::max);
            map.from(properties::window).to(settings::window);
            builder.parallelism(settings.build());
        }
    }

    private void quota(Quota properties) {
        if (properties.isSet()) {
            QuotaSettings.Builder settings = QuotaSettings.builder();
            PropertyMapper map = PropertyMapper.get();
            map.from(properties::capacity).to(settings::capacity);
            map.from(properties::transientCost).to(settings::transientCost);
            map.from(properties::throttledCost).to(settings::throttledCost);
            map.from(properties::refillPerSecond).to(settings::refillPerSecond);
            builder.retryQuota(settings.build());
        }
    }

    private void rateTargets(RateTargets properties) {
        RateTargetPreset preset = properties.preset();
        Double share = properties.share();
        Duration rampOver = properties.rampOver();
        if (preset == null) {
            if (share != null || rampOver != null) {
                throw new IllegalArgumentException(
                        (share == null ? "'ramp-over'" : "'share'") + " is set without 'preset'");
            }
            return;
        }
        ScalabilityTargets.Builder targets = preset.targets().toBuilder();
        PropertyMapper.get().from(rampOver).to(targets::rampOver);
        builder.rateTargets(targets.build().share(share == null ? 1 : share));
    }

    private void cache(Cache properties) {
        if (properties.isSet()) {
            Path folder = properties.disk().folder();
            DataSize size = properties.disk().size();
            if ((folder == null) != (size == null)) {
                throw new IllegalArgumentException("'disk.folder' and 'disk.size' belong together");
            }
            builder.cache(settings -> cache(properties, folder, size, settings));
        }
    }

    private static ResponseCache.Builder cache(
            Cache properties, @Nullable Path folder, @Nullable DataSize size, ResponseCache.Builder settings) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::memory).as(DataSize::toBytes).to(settings::memory);
        map.from(properties::maxInMemory).as(DataSize::toBytes).to(settings::maxInMemory);
        return folder == null || size == null ? settings : settings.disk(folder, size.toBytes());
    }
}
