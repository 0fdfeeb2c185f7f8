/**
 * Repositories of tables: interfaces of the application whose methods are derived from their names, where the service serves them by a point
 * read, a range of keys or an index.
 *
 * <p>An interface extends {@link io.stowline.spring.boot.repository.TableRepository}, and a
 * {@link io.stowline.spring.boot.autoconfigure.StowlineBeans} declares it:
 *
 * <pre>{@code
 * interface Runners extends TableRepository<Runner> {
 *     List<Runner> findByRace(String race);
 *     Optional<StoredEntity<Runner>> findByRaceAndBib(String race, String bib);
 * }
 * }</pre>
 *
 * <p>A method that would scan, sort or count stops the start of the application with its query class. This room uses the public API of the
 * client only, and {@link io.stowline.spring.boot.autoconfigure.StowlineBeans} calls it.
 */
@NullMarked
package io.stowline.spring.boot.repository;

import org.jspecify.annotations.NullMarked;
