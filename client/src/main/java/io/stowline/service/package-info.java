/**
 * The properties of a service of the account: its CORS rules, and soft delete, static website, default version, logging and metrics.
 * {@link io.stowline.Stowline#cors} and {@link io.stowline.Stowline#serviceProperties} are the entries.
 *
 * <pre>{@code
 * storage.cors(ServiceType.BLOB).set(rule -> rule
 *         .allowedOrigins("https://photos.example.com")
 *         .allowedMethods("GET", "PUT")
 *         .allowedHeaders("content-type", "x-ms-*"));
 * storage.serviceProperties(ServiceType.BLOB).setSoftDelete(SoftDelete.days(7));
 * }</pre>
 *
 * <p>A set replaces one property and leaves all others as they are. The service has no condition for these properties, so of two clients
 * that set one property at the same time the last one wins, and neither learns of the other.
 *
 * <p>Values are checked against the limits of the service before anything is sent. Values that are read are shown as the service gives
 * them. A change takes up to 30 seconds to take effect.
 */
@NullMarked
package io.stowline.service;

import org.jspecify.annotations.NullMarked;
