/** An application that imports its typed beans on its main class, and the slices of Spring Boot over it. */
package io.stowline.spring.doors.slices;
